import { update } from "../../domain/change.ts";
import type { KindName } from "../../domain/kind-names.ts";
import type { Kind } from "../../domain/kinds.ts";
import type { AnyObject, ObjectByKind } from "../../domain/objects.ts";
import type { ValueType } from "../../domain/value-type.ts";
import { defineAction } from "../contract/define-action.ts";
import { type Param, required } from "../contract/params.ts";
import type { Rule } from "../contract/rules.ts";
import type { Group } from "../contract/typed-action.ts";
import { written } from "./written.ts";

interface Texts {
  /** `model` unless given. */
  readonly group?: Group;
  readonly title: string;
  readonly description: string;
  readonly rule: Rule;
  readonly example: Readonly<Record<string, unknown>>;
}

/** The group that texts name, by their type. */
type GroupOf<X extends Texts> = X extends { readonly group: infer G extends Group } ? G : "model";

/** An action that sets one field of an object to `value`. */
export function updateField<
  A extends string,
  N extends KindName,
  P extends KindName | undefined,
  R extends string,
  F extends keyof ObjectByKind[N],
  T extends ObjectByKind[N][F] | undefined,
  X extends Texts,
>(name: A, kind: Kind<N, P, R>, field: F, texts: X & { readonly value: Param<T> }) {
  const { title, description, rule, example, value } = texts;
  return defineAction({
    group: groupOf(texts),
    name,
    title,
    description,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: { value },
    output: written,
    errors: [],
    example,
    run: async ({ target, input }) => ({
      subject: subjectOf(target),
      // The parameter has the field's own type, which `update` cannot see through the type parameters.
      changes: update(target as AnyObject, { [field]: input.value }),
    }),
  });
}

/** An action that gives an object another key, unique in its scope. */
export function updateKey<
  A extends string,
  N extends KindName,
  P extends KindName | undefined,
  R extends string,
  X extends Texts,
>(name: A, kind: Kind<N, P, R>, type: ValueType<string>, texts: X) {
  const { title, description, rule, example } = texts;
  return defineAction({
    group: groupOf(texts),
    name,
    title,
    description,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: { value: required(type, "The new key.") },
    output: written,
    errors: ["key_taken"],
    example,
    run: async ({ target, input }) => ({
      subject: { id: target.id, key: input.value },
      changes: update<AnyObject>(target, { key: input.value }),
    }),
  });
}

function groupOf<X extends Texts>({ group = "model" }: X): GroupOf<X> {
  // The type says the same as the default.
  return group as GroupOf<X>;
}

/** Id and key of an object, as the answer of a write names it. */
export function subjectOf(object: { readonly id: string; readonly key: string }): { id: string; key: string } {
  return { id: object.id, key: object.key };
}
