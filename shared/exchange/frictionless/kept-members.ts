import { misspelt } from "../../domain/misspelt.ts";
import { wellKnownMisfit } from "../../domain/property-definitions.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, type JsonObject } from "../json-object.ts";
import type { KeptValue } from "./kept-properties.ts";
import { NAMESPACE, type PartMembers, placeOf } from "./profile-members.ts";

/**
 * The members of a part of a descriptor that become properties: those of the standard under its namespace or as a well-known
 * property, all others under their own names. A member that looks like a known one is a warning, and so is one that belongs into
 * the part with the members of `inner`.
 */
export function keptMembers(
  source: JsonObject,
  members: PartMembers,
  findings: Findings,
  inner: PartMembers = {},
): readonly KeptValue[] {
  return Object.entries(source).flatMap(([member, value]): readonly KeptValue[] => {
    const place = placeOf(members, member);
    const here = findings.at(`/${pointerToken(member)}`);
    if (place === "own") return [{ name: NAMESPACE + member, value, findings: here }];
    if (place === "none") {
      if (!isAbsent(value)) here.warn("", "not_carried_over", "the data itself is not carried over");
      return [];
    }
    if (place !== undefined && place !== "well-known") return [];
    if (place === undefined) warnUnknown(member, members, inner, here);
    const fault = wellKnownMisfit(member, value);
    if (fault === undefined) return [{ name: member, value, findings: here }];
    const name = NAMESPACE + member;
    here.warn("", "kept_as_property", `does not fit the property ${member} (${fault}), so it is kept as ${name}`);
    return [{ name, value, findings: here }];
  });
}

function warnUnknown(member: string, members: PartMembers, inner: PartMembers, findings: Findings): void {
  if (placeOf(inner, member) !== undefined) {
    findings.warn(
      "",
      "kept_as_property",
      `${member} belongs into the schema and not beside it; it is kept as a property`,
    );
    return;
  }
  const meant = misspelt(member, [...Object.keys(members), ...Object.keys(inner)]);
  if (meant === undefined) return;
  findings.warn("", "likely_typo", `${member} is no member of the standard; ${meant} is. It is kept as a property`);
}
