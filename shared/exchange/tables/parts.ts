import { jsonTypeOf } from "../../domain/value-type.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, isObject, type JsonObject } from "../json-object.ts";

/** An object of a source with its place. */
export interface Part {
  readonly source: JsonObject;
  readonly findings: Findings;
}

/** An object of a source that has a usable name. */
export interface NamedPart extends Part {
  readonly name: string;
}

/** The objects of a list; a fault for whatever else stands in it, and for a member that is no list. */
export function partsIn(source: JsonObject, member: string, findings: Findings): readonly Part[] {
  const list = source[member];
  if (isAbsent(list)) return [];
  if (!Array.isArray(list)) {
    findings.fault(`/${member}`, `expected a list, got ${jsonTypeOf(list)}`);
    return [];
  }
  return list.flatMap((one: unknown, i): readonly Part[] => {
    const here = findings.at(`/${member}/${i}`);
    if (isObject(one)) return [{ source: one, findings: here }];
    here.fault("", `expected an object, got ${jsonTypeOf(one)}`);
    return [];
  });
}

/** The objects of a list that have a name; a fault for each of the others. */
export function namedIn(source: JsonObject, member: string, findings: Findings): readonly NamedPart[] {
  return partsIn(source, member, findings).flatMap((part): readonly NamedPart[] => {
    const { name } = part.source;
    if (typeof name === "string" && name.trim() !== "") return [{ ...part, name }];
    part.findings.fault("/name", "the name is missing or no text");
    return [];
  });
}
