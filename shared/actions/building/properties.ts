import { listProperties } from "../../domain/document/read-document.ts";
import type { Kind, KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { updateChanges } from "../../domain/model/changes.ts";
import type { AnyObject, ObjectByKind, PropertyDefinition } from "../../domain/model/objects.ts";
import {
  findDefinitionFault,
  getBuiltIn,
  mergeDefinitions,
  type PropertyDefinitions,
} from "../../domain/model/property-definitions.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import {
  addProperty,
  type Properties,
  parseProperties,
  propertyName,
  propertyValue,
  removeProperty,
} from "../../domain/values/properties.ts";
import { defineAction } from "../contract/define-action.ts";
import { requiredParam } from "../contract/params.ts";
import type { ImportedDocument } from "../contract/ports.ts";
import type { Rule } from "../contract/rules.ts";
import type { Store } from "../contract/store.ts";
import type { Group } from "../contract/typed-action.ts";
import type { ReadView } from "../contract/view.ts";
import { writtenOutput } from "./answers.ts";
import { toSubject } from "./field-actions.ts";

/**
 * The ledger that definitions lie in. It is no part of what a commit saw: a definition holds for the calls that begin after
 * it, and a model that has properties costs later calls nothing.
 */
type Definitions = Pick<Store, "openTags">;

/** Refuses a value that is not as the definition of its property says, `bad_parameters`; one without definition is free. */
async function checkProperty(kind: string, name: string, value: unknown, ledger: ReadView): Promise<void> {
  const definition = (await findDefinition(name, ledger)) ?? getBuiltIn(name);
  const misfit = definition && findDefinitionFault(definition, kind, value);
  if (misfit)
    throw createProblem([
      { pointer: toPointer(["value", ...misfit.path]), detail: `value: ${misfit.detail}; ${formatHint(name)}` },
    ]);
}

function findDefinition(name: string, ledger: ReadView): Promise<PropertyDefinition | undefined> {
  return ledger.find("property_definition", { scheme: "key", value: name });
}

/** Refuses a document with a value that is not as the definition of its property says; without properties it reads nothing. */
export async function checkDocumentProperties(
  { document, former }: Pick<ImportedDocument, "document" | "former">,
  store: Definitions,
): Promise<void> {
  const faults: Fault[] = [];
  let definitions: PropertyDefinitions | undefined;
  for (const { kind, pointer, properties } of listProperties(document, former)) {
    definitions ??= await readDefinitions(() => store.openTags());
    for (const { path, detail } of listPropertyFaults(kind, properties, definitions)) {
      faults.push({ pointer: pointer + toPointer(path), detail: `${path.join(".")}: ${detail}` });
    }
  }
  if (faults.length > 0) throw createProblem(faults);
}

/**
 * The same for stored objects, which a copy or a restoration would bring in; faults name them by kind and key, and point at the
 * parameter that they come from.
 */
export async function checkObjectProperties(
  objects: Iterable<AnyObject>,
  store: Definitions,
  pointer = "/modelRef",
): Promise<void> {
  const faults: Fault[] = [];
  let definitions: PropertyDefinitions | undefined;
  for (const object of objects) {
    if (!("properties" in object) || object.properties === undefined) continue;
    definitions ??= await readDefinitions(() => store.openTags());
    for (const { path, detail } of listPropertyFaults(object.kind, parseProperties(object.properties), definitions)) {
      const sentence = `${object.kind} ${object.key}, ${path.join(".")}: ${detail}; set or delete it first`;
      faults.push({ pointer, detail: sentence });
    }
  }
  if (faults.length > 0) throw createProblem(faults);
}

/** All definitions in force. */
export async function readDefinitions(tags: () => Promise<ReadView>): Promise<PropertyDefinitions> {
  return mergeDefinitions((await (await tags()).list("property_definition")).items);
}

function listPropertyFaults(kind: string, properties: Properties, definitions: PropertyDefinitions) {
  return Object.entries(properties).flatMap(([name, value]) => {
    const definition = definitions.get(name);
    const misfit = definition && findDefinitionFault(definition, kind, value);
    return misfit
      ? [{ path: ["properties", name, ...misfit.path], detail: `${misfit.detail}; ${formatHint(name)}` }]
      : [];
  });
}

function formatHint(name: string): string {
  return `property/definition_get tells what the property ${name} may be, and another name is free`;
}

function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${escapePointerToken(step)}`).join("");
}

function createProblem(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const detail =
    faults.length === 1 && first
      ? first.detail
      : `${faults.length} properties are not as they are defined; errors lists them`;
  return new Problem("bad_parameters", detail, { errors: faults.slice(0, LIMITS.listedFaults) });
}

/** The kinds whose objects can have properties. */
export type PropertyHolderName = {
  [N in KindName]: ObjectByKind[N] extends { readonly properties?: string } ? N : never;
}[KindName];

interface PropertyActionOptions<G extends Group> {
  readonly group: G;
  readonly rule: Rule;
  /** Refs of an object of the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** An action that gives an object a named value, or gives one that it has another value. */
export function defineUpdateProperty<
  A extends string,
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  G extends Group,
>(name: A, kind: Kind<N, P, R>, traits: PropertyActionOptions<G>) {
  const { group, rule, example } = traits;
  return defineAction({
    group,
    name,
    title: `Set ${kind.noun} property`,
    description: `Gives the ${kind.noun} a property, or the property another value. null and "" are values like any other; \`${name.replace("_update_", "_delete_")}\` takes it away.`,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: {
      property: requiredParam(propertyName, "The name of the property."),
      value: requiredParam(propertyValue, "Its value; as its definition says, where the name is defined."),
    },
    output: writtenOutput,
    errors: [],
    example: { ...example, property: "owner", value: "Sales" },
    run: async ({ target, input, view, ports }) => {
      const { property, value } = input;
      const made = addProperty(target.properties, property, value);
      if ("excess" in made) throw new Problem("too_large", `the ${kind.noun} ${target.key} ${made.excess}`);
      const changes = createPropertyUpdate(target, made.kept);
      if (changes.length > 0)
        await checkProperty(kind.name, property, value, kind.ledger === "tags" ? view : await ports.store.openTags());
      return { subject: toSubject(target), changes };
    },
  });
}

/** An action that takes a property from an object. */
export function defineDeleteProperty<
  A extends string,
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  G extends Group,
>(name: A, kind: Kind<N, P, R>, traits: PropertyActionOptions<G>) {
  const { group, rule, example } = traits;
  return defineAction({
    group,
    name,
    title: `Delete ${kind.noun} property`,
    description: `Takes a property from the ${kind.noun}; one that it does not have changes nothing.`,
    intent: "update",
    rule,
    // The group may be any by its type, also that of accounts, which has to say so.
    apiTokens: "allowed",
    target: kind,
    input: { property: requiredParam(propertyName, "The name of the property.") },
    output: writtenOutput,
    errors: [],
    example: { ...example, property: "reviewed" },
    run: async ({ target, input }) => ({
      subject: toSubject(target),
      changes: createPropertyUpdate(target, removeProperty(target.properties, input.property)),
    }),
  });
}

function createPropertyUpdate(target: AnyObject, properties: string | undefined) {
  // Every kind with these actions has the field, which `update` cannot see through the type parameters.
  return updateChanges(target, { properties } as Readonly<Record<string, unknown>>);
}
