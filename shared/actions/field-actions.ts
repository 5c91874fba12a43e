import { update } from "../domain/change.ts";
import type { Kind } from "../domain/kinds.ts";
import type { AnyObject, KindName, ObjectByKind } from "../domain/objects.ts";
import type { ValueType } from "../domain/value-type.ts";
import { defineAction, type Group } from "./define-action.ts";
import { type Param, required } from "./params.ts";
import type { Rule } from "./rules.ts";
import { written } from "./written.ts";

interface Texts<G extends Group> {
  /** `model` unless given. */
  readonly group?: G;
  readonly title: string;
  readonly description: string;
  readonly rule: Rule;
  readonly example: Readonly<Record<string, unknown>>;
}

/** An action that sets one field of an object to `value`. */
export function updateField<
  A extends string,
  N extends KindName,
  P extends KindName | undefined,
  R extends string,
  F extends keyof ObjectByKind[N],
  T extends ObjectByKind[N][F] | undefined,
  G extends Group = "model",
>(name: A, kind: Kind<N, P, R>, field: F, texts: Texts<G> & { readonly value: Param<T> }) {
  const { title, description, rule, example, value } = texts;
  return defineAction({
    group: groupOf(texts),
    name,
    title,
    description,
    intent: "update",
    rule,
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
  G extends Group = "model",
>(name: A, kind: Kind<N, P, R>, type: ValueType<string>, texts: Texts<G>) {
  const { title, description, rule, example } = texts;
  return defineAction({
    group: groupOf(texts),
    name,
    title,
    description,
    intent: "update",
    rule,
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

function groupOf<G extends Group>({ group }: Texts<G>): G {
  // Without a group of its own, G is its default.
  return group ?? ("model" as G);
}

/** What a write answers about the object it concerns. */
export function subjectOf(object: { readonly id: string; readonly key: string }): { id: string; key: string } {
  return { id: object.id, key: object.key };
}
