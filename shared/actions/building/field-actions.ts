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
  /** Defaults to `model`. */
  readonly group?: Group;
  readonly rule: Rule;
}

/** Parameter of a field, and the conversion of its value if it is stored in another form. */
type FieldSetting<V, T> = { readonly value: Param<T> } & ([T] extends [V | undefined]
  ? { readonly stored?: never }
  : { readonly stored: (value: T) => V | undefined });

interface FieldChange<O> {
  /** Creates the changes of the fields of an object; an update by default. */
  readonly createChanges?: (target: O, fields: Partial<O>) => readonly Change[];
}

/** Group in the texts, as a type. */
type GroupOf<X extends Texts> = X extends { readonly group: infer G extends Group } ? G : "model";

/** Defines an action that sets one field of an object to `value`. */
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
  const { title, description, rule, example, value, stored, createChanges = updateChanges } = texts;
  return defineAction({
    group: getGroup(texts),
    name,
    title,
    description,
    intent: "update",
    rule,
    // By its type, the group may be `auth`, which requires `apiTokens`.
    apiTokens: "allowed",
    target: kind,
    input: { value },
    output: writtenOutput,
    errors: [],
    example,
    run: async ({ target, input }) => {
      // The parameter is a Param<T>; the type of `input` does not show it.
      const value = stored ? stored(input.value as T) : input.value;
      // One field with a value of its type, which the type parameters hide.
      const fields = { [field]: value } as Partial<ObjectByKind[N]>;
      return { subject: toSubject(target), changes: createChanges(target, fields) };
    },
  });
}

/** Defines an action that changes the key of an object, unique in its scope. */
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
    // By its type, the group may be `auth`, which requires `apiTokens`.
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
  // The type has the same default.
  return group as GroupOf<X>;
}

/** Returns id and key of an object for the answer of a write. */
export function toSubject(object: { readonly id: string; readonly key: string }): { id: string; key: string } {
  return { id: object.id, key: object.key };
}
