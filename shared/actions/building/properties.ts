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
 * Ledger of the definitions. Commits do not depend on it: a definition applies to calls that start later, so that
 * properties cost later calls nothing.
 */
type Definitions = Pick<Store, "openTags">;

/**
 * Checks a value against the definition of its property; undefined properties accept any value. Throws
 * `bad_parameters`.
 */
async function checkProperty(kind: string, name: string, value: unknown, ledger: ReadView): Promise<void> {
  const definition = (await findDefinition(name, ledger)) ?? getBuiltIn(name);
  const fault = definition && findDefinitionFault(definition, kind, value);
  if (fault)
    throw createProblem([
      { pointer: toPointer(["value", ...fault.path]), detail: `value: ${fault.detail}; ${formatHint(name)}` },
    ]);
}

function findDefinition(name: string, ledger: ReadView): Promise<PropertyDefinition | undefined> {
  return ledger.find("property_definition", { scheme: "key", value: name });
}

/** Checks all properties of a document. Reads nothing if there are none. Throws `bad_parameters`. */
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
 * Checks the properties of objects that a copy or restoration would create. Faults name them by kind and key, and point
 * at the parameter that they come from.
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

/** Reads all effective definitions. */
export async function readDefinitions(tags: () => Promise<ReadView>): Promise<PropertyDefinitions> {
  return mergeDefinitions((await (await tags()).list("property_definition")).items);
}

function listPropertyFaults(kind: string, properties: Properties, definitions: PropertyDefinitions) {
  return Object.entries(properties).flatMap(([name, value]) => {
    const definition = definitions.get(name);
    const fault = definition && findDefinitionFault(definition, kind, value);
    return fault ? [{ path: ["properties", name, ...fault.path], detail: `${fault.detail}; ${formatHint(name)}` }] : [];
  });
}

function formatHint(name: string): string {
  return `see property/definition_get for the definition of ${name}, or use another name`;
}

function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${escapePointerToken(step)}`).join("");
}

function createProblem(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const detail =
    faults.length === 1 && first ? first.detail : `${faults.length} properties violate their definitions; see errors`;
  return new Problem("bad_parameters", detail, { errors: faults.slice(0, LIMITS.listedFaults) });
}

/** Kinds of objects that can have properties. */
export type PropertyHolderName = {
  [N in KindName]: ObjectByKind[N] extends { readonly properties?: string } ? N : never;
}[KindName];

interface PropertyActionOptions<G extends Group> {
  readonly group: G;
  readonly rule: Rule;
  /** Refs of an object of the documentation's example model. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Defines an action that sets a property of an object. */
export function defineUpdateProperty<
  A extends string,
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  G extends Group,
>(name: A, kind: Kind<N, P, R>, options: PropertyActionOptions<G>) {
  const { group, rule, example } = options;
  return defineAction({
    group,
    name,
    title: `Set ${kind.noun} property`,
    description: `Adds or changes a property of the ${kind.noun}. null and "" are values; \`${name.replace("_update_", "_delete_")}\` deletes it.`,
    intent: "update",
    rule,
    // By its type, the group may be `auth`, which requires `apiTokens`.
    apiTokens: "allowed",
    target: kind,
    input: {
      property: requiredParam(propertyName, "The name of the property."),
      value: requiredParam(propertyValue, "The value of the property. It must match the definition, if there is one."),
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

/** Defines an action that deletes a property of an object. */
export function defineDeleteProperty<
  A extends string,
  N extends PropertyHolderName,
  P extends KindName | undefined,
  R extends string,
  G extends Group,
>(name: A, kind: Kind<N, P, R>, options: PropertyActionOptions<G>) {
  const { group, rule, example } = options;
  return defineAction({
    group,
    name,
    title: `Delete ${kind.noun} property`,
    description: `Deletes a property of the ${kind.noun}. Deleting a missing property changes nothing.`,
    intent: "update",
    rule,
    // By its type, the group may be `auth`, which requires `apiTokens`.
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
  // Every kind with these actions has the field; the type parameters hide it.
  return updateChanges(target, { properties } as Readonly<Record<string, unknown>>);
}
