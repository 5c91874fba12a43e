import type * as z from "zod/mini";
import { type Kind, type KindName, model } from "../../domain/kinds.ts";
import { type Change, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { omitUndefined } from "../../domain/model/content.ts";
import type { AnyObject, ObjectByKind } from "../../domain/model/objects.ts";
import { Problem, type ProblemCode } from "../../domain/problems.ts";
import { addProperty, propertyName, propertyValue, removeProperty } from "../../domain/values/properties.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import type { ActionTexts, Group, Output, Rule } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowClearing, type Param, requireParam } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { createJsonOutput, writtenOutput } from "./answers.ts";
import { checkProperty } from "./properties.ts";
import { createListOutput, pagingParams, toPage, toReading } from "./reads.ts";
import type { KindRows } from "./rows.ts";

export const modelWrite = { group: "model", rule: "model_write", output: writtenOutput } as const;

interface Texts extends ActionTexts {
  readonly group?: Group;
  readonly rule: Rule;
}

type FieldSetting<O, V, T> = { readonly value: Param<T> } & ([T] extends [V | undefined]
  ? { readonly convert?: never }
  : { readonly convert: (value: T, target: O, view: ReadView) => V | undefined | Promise<V | undefined> });

interface FieldChange<O> {
  readonly errors?: readonly ProblemCode[];
  readonly createChanges?: (target: O, fields: Partial<O>) => readonly Change[];
}

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
  texts: X & FieldSetting<ObjectByKind[N], ObjectByKind[N][F], T> & FieldChange<ObjectByKind[N]>,
) {
  const { title, description, rule, example, value, convert, errors = [], createChanges = updateChanges } = texts;
  return defineAction({
    // The type has the same default.
    group: (texts.group ?? "model") as GroupOf<X>,
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
    errors,
    example,
    run: async ({ target, input, view }) => {
      // The parameter is a Param<T>; the type of `input` does not show it.
      const value = convert ? await convert(input.value as T, target, view) : input.value;
      // One field with a value of its type, which the type parameters hide.
      const fields = { [field]: value } as Partial<ObjectByKind[N]>;
      return { subject: toSubject(target), changes: createChanges(target, fields) };
    },
  });
}

type PropertyHolderName = {
  [N in KindName]: ObjectByKind[N] extends { readonly properties?: string } ? N : never;
}[KindName];

interface KindTexts<X extends string, G extends Group> {
  /** The beginning of the names of the actions. */
  readonly prefix: X;
  readonly group: G;
  readonly rule: Rule;
  readonly readRule?: Rule;
  readonly noun?: string;
  readonly one: string;
  readonly example: Readonly<Record<string, unknown>>;
}

function createReadActions<
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  X extends string,
  G extends Group,
>(kind: Kind<N, P, R>, { prefix, group, readRule = "model_read", example }: KindTexts<X, G>) {
  const base = { group, rule: readRule, apiTokens: "allowed", intent: "read", errors: [] } as const;
  return {
    get: <S extends z.ZodMiniType>(
      { schema, prepare }: KindRows<S, ObjectByKind[N]>,
      description: string,
      noun: string = kind.noun,
    ) =>
      defineAction({
        ...base,
        target: kind,
        example,
        name: `${prefix}_get` as const,
        title: `Get ${noun}`,
        description,
        output: createJsonOutput(`The ${noun}.`, schema),
        run: async ({ target, view, tags }) => ({ body: await (await prepare([target], view, tags))(target) }),
      }),
    list: <S extends z.ZodMiniType>({ schema, prepare }: KindRows<S>, plural: string, description: string) =>
      defineAction({
        ...base,
        name: `${prefix}_list` as const,
        title: `List ${plural}`,
        description,
        within: model,
        input: pagingParams,
        output: createListOutput(`The ${plural}.`, schema),
        example: { modelRef: "key:crm" },
        run: async ({ view, input, tags }) => {
          const rows = await view.list(kind.name, undefined, toPage(input));
          const toRow = await prepare(rows.items, view, tags);
          return toReading(rows, (items) => ({ items: items.map(toRow) }));
        },
      }),
  };
}

function createPropertyActions<
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  X extends string,
  G extends Group,
>(kind: Kind<N, P, R>, { prefix, group, rule, example }: KindTexts<X, G>) {
  const base = { group, rule, apiTokens: "allowed", target: kind, intent: "update", output: writtenOutput } as const;
  return [
    defineAction({
      ...base,
      name: `${prefix}_update_property` as const,
      title: `Set ${kind.noun} property`,
      description: `Adds or changes a property of the ${kind.noun}. null and "" are values; \`${prefix}_delete_property\` deletes it.`,
      input: { property, value: requireParam(propertyValue, VALUE_TEXT) },
      errors: [],
      example: { ...example, property: "owner", value: "Sales" },
      run: async ({ target, input, view, ports, call }) => {
        const result = addProperty(target.properties, input.property, input.value);
        if ("excess" in result) throw new Problem("too_large", `the ${kind.noun} ${target.key} ${result.excess}`);
        const decision = decideFields(target, { properties: result.json });
        if (decision.changes.length > 0) {
          const ledger = kind.ledger === "tags" ? view : await ports.store.openTags();
          await checkProperty(kind.name, input.property, input.value, { ledger, budget: call.budget });
        }
        return decision;
      },
    }),
    defineAction({
      ...base,
      name: `${prefix}_delete_property` as const,
      title: `Delete ${kind.noun} property`,
      description: `Deletes a property of the ${kind.noun}. Deleting a missing property changes nothing.`,
      input: { property },
      errors: [],
      example: { ...example, property: "reviewed" },
      run: async ({ target, input }) =>
        decideFields(target, { properties: removeProperty(target.properties, input.property) }),
    }),
  ] as const;
}

/** Creates the functions that define the actions of most kinds, and the two actions on properties. */
export function createKindActions<
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  X extends string,
  G extends Group,
>(kind: Kind<N, P, R>, options: KindTexts<X, G>) {
  const { prefix, group, rule, noun = kind.noun, one, example } = options;
  // By its type, the group may be `auth`, which requires `apiTokens`.
  const base = { group, rule, apiTokens: "allowed", target: kind, errors: [], example } as const;
  const update = { ...base, intent: "update", output: writtenOutput } as const;
  return {
    ...createReadActions(kind, options),
    updateKey: (type: ValueType<string>, value: string, note = "") =>
      defineAction({
        ...update,
        name: `${prefix}_update_key` as const,
        title: `Change ${noun} key`,
        description: `Changes the key of ${one}${note}.`,
        input: { value: requireParam(type, "The new key.") },
        errors: ["key_taken"],
        example: { ...example, value },
        run: async ({ target, input }) => ({
          subject: { id: target.id, key: input.value },
          changes: updateChanges<AnyObject>(target, { key: input.value }),
        }),
      }),
    updateName: (value: string) =>
      defineAction({
        ...update,
        name: `${prefix}_update_name` as const,
        title: `Rename ${noun}`,
        description: `Changes or clears the name of ${one}.`,
        input: { value: allowClearing(singleLine, "The new name; leave it out to clear it.") },
        example: { ...example, value },
        run: async ({ target, input }) => decideFields(target, { name: input.value }),
      }),
    updateDescription: (value: string) =>
      defineAction({
        ...update,
        name: `${prefix}_update_description` as const,
        title: `Describe ${noun}`,
        description: `Changes or clears the description of ${one}.`,
        input: { value: allowClearing(markdown, "The new description; leave it out to clear it.") },
        example: { ...example, value },
        run: async ({ target, input }) => decideFields(target, { description: input.value }),
      }),
    properties: createPropertyActions(kind, options),
    delete: <S extends z.ZodMiniType>(description: string, output: Output<S>) =>
      defineAction({
        ...base,
        name: `${prefix}_delete` as const,
        title: `Delete ${noun}`,
        description,
        intent: "delete",
        output,
        run: async ({ target }) => ({
          subject: toSubject(target),
          changes: [deleteChange(target, false)],
          ...(output.description !== writtenOutput.description && { removals: [] }),
        }),
      }),
  };
}

const property = requireParam(propertyName, "The name of the property.");
const VALUE_TEXT = "The value of the property. It must match the definition, if there is one.";

type TextFields = { readonly [F in "name" | "description" | "properties"]?: string | undefined };

function decideFields(target: AnyObject, fields: TextFields) {
  // Every kind with these actions has the fields; the type parameters hide it.
  return { subject: toSubject(target), changes: updateChanges(target, fields as Readonly<Record<string, unknown>>) };
}

/** Returns id and key of an object for the answer of a write. */
export function toSubject(object: { readonly id: string; readonly key: string }): { id: string; key: string } {
  return { id: object.id, key: object.key };
}

/** Creates the members of a new object with key, name and description. */
export function createDescribed(
  call: Call,
  key: string,
  { name, description }: { readonly name: string | undefined; readonly description: string | undefined },
) {
  return omitUndefined({ id: call.nextId(), key, revision: 0, name, description });
}
