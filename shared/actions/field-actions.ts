import { update } from "../domain/change.ts";
import type { Kind } from "../domain/kinds.ts";
import type { AnyObject, KindName, ObjectByKind } from "../domain/objects.ts";
import type { ValueType } from "../domain/value-types.ts";
import { type Action, defineAction } from "./define-action.ts";
import { type Param, required } from "./params.ts";
import type { Rule } from "./rules.ts";
import { written } from "./written.ts";

interface Texts {
  readonly title: string;
  readonly description: string;
  readonly rule: Rule;
  readonly example: Readonly<Record<string, unknown>>;
}

/** An action that sets one field of an object to `value`. */
export function updateField<N extends KindName, F extends keyof ObjectByKind[N]>(
  name: string,
  kind: Kind<N>,
  field: F,
  texts: Texts & { readonly value: Param<ObjectByKind[N][F] | undefined> },
): Action {
  const { title, description, rule, example, value } = texts;
  return defineAction({
    group: "model",
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
export function updateKey<N extends KindName>(
  name: string,
  kind: Kind<N>,
  type: ValueType<string>,
  texts: Texts,
): Action {
  const { title, description, rule, example } = texts;
  return defineAction({
    group: "model",
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

/** What a write answers about the object it concerns. */
export function subjectOf(object: { readonly id: string; readonly key: string }): { id: string; key: string } {
  return { id: object.id, key: object.key };
}
