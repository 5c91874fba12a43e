import type { Properties } from "../../domain/properties.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";

/** Properties as members of a format: those of its own namespace under their names, and all others. */
export interface OwnMembers {
  readonly members: JsonObject;
  readonly others: readonly (readonly [name: string, value: unknown])[];
}

/**
 * The properties that a reader made of members, as these again, without those that something else is written as; what is left is
 * told, since a reader keeps it in another place.
 */
export function ownMembers(
  properties: Properties = {},
  namespace: string,
  taken: ReadonlySet<string>,
  at: Findings,
): OwnMembers {
  const members: Record<string, unknown> = {};
  const others: (readonly [string, unknown])[] = [];
  for (const [name, value] of Object.entries(properties)) {
    const place = at.at(`/properties/${pointerToken(name)}`);
    const member = name.startsWith(`${namespace}:`) ? name.slice(namespace.length + 1) : undefined;
    if (member === undefined) {
      others.push([name, value]);
      place.warn("", "written_otherwise", "a property of no member is one among those of its owner");
    } else if (taken.has(member)) place.warn("", "not_written", "another fact is written as the member");
    else Object.defineProperty(members, member, { value, enumerable: true });
  }
  return { members, others };
}
