import type { Kind, KindName } from "../../domain/kinds.ts";
import { type Change, updateChanges } from "../../domain/model/changes.ts";
import type { AnyObject, ObjectByKind } from "../../domain/model/objects.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import type { ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { type Param, requiredParam } from "../contract/params.ts";
import type { Rule } from "../contract/rules.ts";
import type { Group } from "../contract/typed-action.ts";
import { writtenOutput } from "./answers.ts";

interface Texts extends ActionTexts {
  /** `model` unless given. */
  readonly group?: Group;
  readonly rule: Rule;
}

/** The parameter of a field, and how its value is stored where the parameter has another type. */
type FieldSetting<V, T> = { readonly value: Param<T> } & ([T] extends [V | undefined]
  ? { readonly stored?: never }
  : { readonly stored: (value: T) => V | undefined });

interface FieldChange<O> {
  /** The changes that give an object other fields; an update unless given. */
  readonly changesOf?: (target: O, fields: Partial<O>) => readonly Change[];
}

/** The group that texts name, by their type. */
type GroupOf<X extends Texts> = X extends { readonly group: infer G extends Group } ? G : "model";

/** An action that sets one field of an object to `value`. */
export function defineUpdateField<
  A extends string,
  N extends KindName,
  P extends KindName | undefined,
  R extends string,
  F extends keyof ObjectByKind[N],
  T,
  X extends Texts,
>(
  name: A,
  kind: Kind<N, P, R>,
  field: F,
  texts: X & FieldSetting<ObjectByKind[N][F], T> & FieldChange<ObjectByKind[N]>,
) {
  const { title, description, rule, example, value, stored, changesOf = updateChanges } = texts;
  return defineAction({
    group: getGroup(texts),
    name,
    title,
    description,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: { value },
    output: writtenOutput,
    errors: [],
    example,
    run: async ({ target, input }) => {
      // The parameter is a Param<T>, which the type of `input` cannot see through the type parameter.
      const value = stored ? stored(input.value as T) : input.value;
      // One field with a value of its own type, which the type parameters hide.
      const fields = { [field]: value } as Partial<ObjectByKind[N]>;
      return { subject: toSubject(target), changes: changesOf(target, fields) };
    },
  });
}

/** An action that gives an object another key, unique in its scope. */
export function defineUpdateKey<
  A extends string,
  N extends KindName,
  P extends KindName | undefined,
  R extends string,
  X extends Texts,
>(name: A, kind: Kind<N, P, R>, type: ValueType<string>, texts: X) {
  const { title, description, rule, example } = texts;
  return defineAction({
    group: getGroup(texts),
    name,
    title,
    description,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: { value: requiredParam(type, "The new key.") },
    output: writtenOutput,
    errors: ["key_taken"],
    example,
    run: async ({ target, input }) => ({
      subject: { id: target.id, key: input.value },
      changes: updateChanges<AnyObject>(target, { key: input.value }),
    }),
  });
}

function getGroup<X extends Texts>({ group = "model" }: X): GroupOf<X> {
  // The type says the same as the default.
  return group as GroupOf<X>;
}

/** Id and key of an object, as the answer of a write names it. */
export function toSubject(object: { readonly id: string; readonly key: string }): { id: string; key: string } {
  return { id: object.id, key: object.key };
}
