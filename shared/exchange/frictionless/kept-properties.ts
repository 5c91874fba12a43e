import { PROPERTY_LIMITS } from "../../domain/limits.ts";
import { type Properties, properties } from "../../domain/properties.ts";
import { holdsCredentials } from "../../domain/value-types.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { legalKeys } from "../legal-key.ts";
import { NAMESPACE } from "./profile-members.ts";

/** The property with the names of members that are no legal names of properties, by the names that were made of them. */
export const MEMBER_NAMES = `${NAMESPACE}memberNames`;

/** A value of a source that is to be a property. */
export interface KeptValue {
  /** The name of the property; one that is not legal is made so. */
  readonly name: string;
  readonly value: unknown;
  /** Its place in the source, for warnings. */
  readonly findings: Findings;
}

/**
 * Values of a source as the properties of one object, under legal names; the first of two values of one name wins. A value that
 * no property can hold, or for which the object has no room left, is a warning; `memberNames` names the property that has the names
 * from which legal ones were made.
 */
export function keptProperties(
  values: readonly KeptValue[],
  memberNames = MEMBER_NAMES,
): { readonly properties?: Properties } {
  const names = legalKeys(values.map(({ name }) => name));
  const made: Record<string, string> = {};
  const kept = new Map<string, unknown>();
  let bytes = 2;
  const keep = (name: string, value: unknown, findings: Findings): void => {
    const fault = properties.schema().safeParse({ [name]: value }).error?.issues[0];
    const size = Buffer.byteLength(JSON.stringify({ [name]: value })) - 1;
    if (holdsSecret(value)) {
      findings.warn(
        "",
        "not_carried_over",
        "it holds an address with a user name or a password; it is not carried over",
      );
    } else if (fault) {
      const inside = fault.path.slice(1).map((step) => `/${pointerToken(String(step))}`);
      findings.warn(inside.join(""), "not_carried_over", `no property can hold it: ${fault.message}`);
    } else if (kept.size === PROPERTY_LIMITS.propertiesPerObject) {
      findings.warn("", "not_carried_over", `an object has at most ${PROPERTY_LIMITS.propertiesPerObject} properties`);
    } else if (bytes + size > PROPERTY_LIMITS.propertiesBytes) {
      findings.warn(
        "",
        "not_carried_over",
        `the properties of an object have at most ${PROPERTY_LIMITS.propertiesBytes} bytes`,
      );
    } else {
      bytes += size;
      kept.set(name, value);
    }
  };
  for (const [i, { name, value, findings }] of values.entries()) {
    const legal = names[i] ?? name;
    if (legal !== name) made[legal] = name;
    keep(legal, value, findings);
    if (legal !== name && kept.has(legal)) {
      findings.warn("", "key_made", `is no name of a property, so the name became ${JSON.stringify(legal)}`);
    }
  }
  const [first] = values;
  if (first && Object.keys(made).length > 0) keep(memberNames, made, first.findings);
  return kept.size > 0 ? { properties: Object.fromEntries(kept) } : {};
}

/** True where a text in a value is an address with a user name or a password. */
function holdsSecret(value: unknown): boolean {
  if (typeof value === "string") return holdsCredentials(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}
