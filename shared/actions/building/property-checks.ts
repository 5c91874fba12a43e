import { documentProperties } from "../../domain/document-properties.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject, PropertyDefinition } from "../../domain/objects.ts";
import { type Fault, Problem } from "../../domain/problems.ts";
import { type Properties, propertiesOf } from "../../domain/properties.ts";
import { definitionMisfit, inForce, type PropertyDefinitions, wellKnown } from "../../domain/property-definitions.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Imported } from "../contract/ports.ts";
import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";

/**
 * The ledger that definitions lie in. It is no part of what a commit saw: a definition holds for the calls that begin after
 * it, and a model that has properties costs later calls nothing.
 */
type Definitions = Pick<Store, "tags">;

/** Refuses a value that is not as the definition of its property says, `bad_parameters`; one without definition is free. */
export async function checkProperty(kind: string, name: string, value: unknown, ledger: View): Promise<void> {
  const definition = (await definitionOf(name, ledger)) ?? wellKnown(name);
  const misfit = definition && definitionMisfit(definition, kind, value);
  if (misfit)
    throw refused([
      { pointer: pointerOf(["value", ...misfit.path]), detail: `value: ${misfit.detail}; ${wayOut(name)}` },
    ]);
}

function definitionOf(name: string, ledger: View): Promise<PropertyDefinition | undefined> {
  return ledger.find("property_definition", { scheme: "key", value: name });
}

/** Refuses a document with a value that is not as the definition of its property says; without properties it reads nothing. */
export async function checkDocumentProperties(
  { document, former }: Pick<Imported, "document" | "former">,
  store: Definitions,
): Promise<void> {
  const faults: Fault[] = [];
  let definitions: PropertyDefinitions | undefined;
  for (const { kind, pointer, properties } of documentProperties(document, former)) {
    definitions ??= await definitionsIn(() => store.tags());
    for (const { path, detail } of misfitsIn(kind, properties, definitions)) {
      faults.push({ pointer: pointer + pointerOf(path), detail: `${path.join(".")}: ${detail}` });
    }
  }
  if (faults.length > 0) throw refused(faults);
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
    definitions ??= await definitionsIn(() => store.tags());
    for (const { path, detail } of misfitsIn(object.kind, propertiesOf(object.properties), definitions)) {
      const sentence = `${object.kind} ${object.key}, ${path.join(".")}: ${detail}; set or delete it first`;
      faults.push({ pointer, detail: sentence });
    }
  }
  if (faults.length > 0) throw refused(faults);
}

/** All definitions in force. */
export async function definitionsIn(tags: () => Promise<View>): Promise<PropertyDefinitions> {
  return inForce((await (await tags()).list("property_definition")).items);
}

function misfitsIn(kind: string, properties: Properties, definitions: PropertyDefinitions) {
  return Object.entries(properties).flatMap(([name, value]) => {
    const definition = definitions.get(name);
    const misfit = definition && definitionMisfit(definition, kind, value);
    return misfit ? [{ path: ["properties", name, ...misfit.path], detail: `${misfit.detail}; ${wayOut(name)}` }] : [];
  });
}

function wayOut(name: string): string {
  return `property/definition_get tells what the property ${name} may be, and another name is free`;
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${pointerToken(step)}`).join("");
}

function refused(faults: readonly Fault[]): Problem {
  const [first] = faults;
  const detail =
    faults.length === 1 && first
      ? first.detail
      : `${faults.length} properties are not as they are defined; errors lists them`;
  return new Problem("bad_parameters", detail, { errors: faults.slice(0, LIMITS.listedFaults) });
}
