import type { AttributeDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, type JsonObject } from "../json-object.ts";
import { differentSets } from "./different-sets.ts";
import type { KeptValue } from "./kept-properties.ts";
import { same } from "./lens.ts";
import { oneOrMore } from "./one-or-more.ts";
import { NAMESPACE } from "./profile-members.ts";

/** Members that tell how the rows of a table are read: properties of its entity wherever the schema stands. */
export const TABLE_HOME: ReadonlySet<string> = new Set(["missingValues", "fieldsMatch"]);

/** The parts of a table that its keys are written from. */
export interface TableKeys {
  readonly primaryKey: readonly string[];
  readonly businessKeys: readonly (readonly string[])[];
  readonly attributes: readonly AttributeDocument[];
  readonly fields: ReadonlyMap<string, AttributeDocument>;
}

/** Field names as the standard writes a key: one as a text, several as a list; undefined for none. */
export function keyMember(names: readonly string[]): string | readonly string[] | undefined {
  return names.length > 1 ? names : names[0];
}

/** The keys of a schema that are not written as those of its entity would be. */
export function keptOfTable(schema: JsonObject, table: TableKeys, findings: Findings): readonly KeptValue[] {
  const names = new Map([...table.fields].map(([name, { key }]) => [key, name]));
  const nameOf = (key: string): string => names.get(key) ?? key;
  const primaryKey = keyMember(table.primaryKey.map((ref) => nameOf(ref.replace(/^key:/, ""))));
  const single = new Set(table.attributes.filter((a) => a.constraints?.unique === true).map(({ key }) => key));
  const sets = differentSets(table.businessKeys).filter((keys) => keys.length > 1 || !single.has(keys[0] ?? ""));
  const uniqueKeys = sets.length > 0 ? sets.map((keys) => keys.map(nameOf)) : undefined;
  return Object.entries({ primaryKey, uniqueKeys }).flatMap(([member, written]): readonly KeptValue[] => {
    const given = schema[member];
    const here = findings.at(`/${member}`);
    if (isAbsent(given) || same(sortedSets(given), sortedSets(written))) return [];
    const isPart = member === "uniqueKeys" && oneOrMore(given).length > sets.length + single.size;
    if (isPart) here.warn("", "kept_as_property", "not every unique key names fields of the schema");
    return [{ name: NAMESPACE + member, value: given, findings: here }];
  });
}

/** A list of lists in an order of its own; any other value as it is. */
function sortedSets(value: unknown): unknown {
  return Array.isArray(value) && value.every(Array.isArray)
    ? value.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
    : value;
}
