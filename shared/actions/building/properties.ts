import { listProperties } from "../../domain/document/read-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import {
  findDefinitionFault,
  getBuiltIn,
  mergeDefinitions,
  type PropertyDefinitions,
} from "../../domain/model/property-definitions.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { type Properties, parseProperties } from "../../domain/values/properties.ts";
import type { CallBudget } from "../contract/budget.ts";
import type { ImportedDocument } from "../contract/ports.ts";
import type { Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";

/** Ledger of the definitions. Commits do not depend on it: a definition applies to later calls. */
type Definitions = Pick<Store, "openTags">;

/** Throws `bad_parameters` if a value violates the definition of its property. */
export async function checkProperty(
  kind: string,
  name: string,
  value: unknown,
  { ledger, budget }: { readonly ledger: ReadView; readonly budget: CallBudget },
): Promise<void> {
  const definition = (await ledger.find("property_definition", { scheme: "key", value: name })) ?? getBuiltIn(name);
  const fault = definition && findDefinitionFault(definition, kind, value, budget.patterns);
  if (fault)
    throw createProblem([
      { pointer: toPointer(["value", ...fault.path]), detail: `value: ${fault.detail}; ${formatHint(name)}` },
    ]);
}

/** Checks all properties of a document. Throws `bad_parameters`. */
export async function checkDocumentProperties(
  { document, former }: Pick<ImportedDocument, "document" | "former">,
  store: Definitions,
  budget: CallBudget,
): Promise<void> {
  const faults: Fault[] = [];
  let definitions: PropertyDefinitions | undefined;
  for (const { kind, pointer, properties } of listProperties(document, former)) {
    definitions ??= await readDefinitions(() => store.openTags());
    for (const { path, detail } of listPropertyFaults(kind, properties, definitions, budget)) {
      faults.push({ pointer: pointer + toPointer(path), detail: `${path.join(".")}: ${detail}` });
    }
  }
  if (faults.length > 0) throw createProblem(faults);
}

/** Checks the properties of new objects. Throws `bad_parameters`. */
export async function checkObjectProperties(
  objects: Iterable<AnyObject>,
  store: Definitions,
  budget: CallBudget,
  pointer = "/modelRef",
): Promise<void> {
  const faults: Fault[] = [];
  let definitions: PropertyDefinitions | undefined;
  for (const object of objects) {
    if (!("properties" in object) || object.properties === undefined) continue;
    definitions ??= await readDefinitions(() => store.openTags());
    for (const { path, detail } of listPropertyFaults(
      object.kind,
      parseProperties(object.properties),
      definitions,
      budget,
    )) {
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

function listPropertyFaults(
  kind: string,
  properties: Properties,
  definitions: PropertyDefinitions,
  budget: CallBudget,
) {
  return Object.entries(properties).flatMap(([name, value]) => {
    const definition = definitions.get(name);
    const fault = definition && findDefinitionFault(definition, kind, value, budget.patterns);
    return fault ? [{ path: ["properties", name, ...fault.path], detail: `${fault.detail}; ${formatHint(name)}` }] : [];
  });
}

function formatHint(name: string) {
  return `see property/definition_get for the definition of ${name}, or use another name`;
}

function toPointer(path: readonly (string | number)[]) {
  return path.map((step) => `/${escapePointerToken(step)}`).join("");
}

function createProblem(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const detail =
    faults.length === 1 && first ? first.detail : `${faults.length} properties violate their definitions; see errors`;
  return new Problem("bad_parameters", detail, { errors: faults.slice(0, LIMITS.listedFaults) });
}
