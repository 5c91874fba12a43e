import { escapePointerToken } from "../../../domain/text/characters.ts";
import type { Properties } from "../../../domain/values/properties.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { JsonObject } from "../json-object.ts";

/** Properties of the namespace of a format as members, and all others. */
export interface OwnMembers {
  readonly members: JsonObject;
  readonly others: readonly (readonly [name: string, value: unknown])[];
}

/** Splits properties into members of the format and others. Warns about the others. */
export function splitOwnMembers(
  properties: Properties = {},
  namespace: string,
  reservedNames: ReadonlySet<string>,
  at: Diagnostics,
): OwnMembers {
  const members: Record<string, unknown> = {};
  const others: (readonly [string, unknown])[] = [];
  for (const [name, value] of Object.entries(properties)) {
    const memberAt = at.at(`/properties/${escapePointerToken(name)}`);
    const member = name.startsWith(`${namespace}:`) ? name.slice(namespace.length + 1) : undefined;
    if (member === undefined) {
      others.push([name, value]);
      memberAt.warn("", "written_otherwise", "the property is written as a custom one");
    } else if (reservedNames.has(member)) memberAt.warn("", "not_written", "the member is written from another fact");
    else Object.defineProperty(members, member, { value, enumerable: true });
  }
  return { members, others };
}

/** Returns a property that the format has a member for. Warns about an invalid value and returns undefined. */
export function readKeptValue<T>(
  properties: Properties | undefined,
  name: string,
  isValid: (value: unknown) => value is T,
  at: Diagnostics,
): T | undefined {
  const value: unknown = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (value === undefined || isValid(value)) return value;
  warnInvalidMember(name, at);
  return undefined;
}

/** Warns about a property whose value the member of the format cannot have. */
export function warnInvalidMember(name: string, at: Diagnostics): void {
  const path = `/properties/${escapePointerToken(name)}`;
  at.warn(path, "not_written", "the value is not valid for this member of the format");
}

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
export const isTrue = (value: unknown): value is true => value === true;

/** Creates a test for lists. */
export function isListOf<T>(isItem: (value: unknown) => value is T) {
  return (value: unknown): value is readonly T[] => Array.isArray(value) && value.every(isItem);
}
