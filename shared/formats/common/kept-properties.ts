import { PROPERTY_LIMITS } from "../../domain/limits.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { type Properties, properties } from "../../domain/values/properties.ts";
import { holdsCredentials } from "../../domain/values/value-types.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { toLegalKeys } from "./legal-key.ts";

/** A value of a source that becomes a property. */
export interface KeptValue {
  readonly name: string;
  readonly value: unknown;
  readonly diagnostics: Diagnostics;
}

/** Returns values as properties under legal names. Warns about losses. `memberNames` maps changed names to old ones. */
export function toProperties(values: readonly KeptValue[], memberNames: string): { readonly properties?: Properties } {
  const names = toLegalKeys(values.map(({ name }) => name));
  const originals: Record<string, string> = {};
  const entries = new Map<string, unknown>();
  let bytes = 2;
  const keep = (name: string, value: unknown, diagnostics: Diagnostics) => {
    const fault = properties.schema().safeParse({ [name]: value }).error?.issues[0];
    const size = Buffer.byteLength(JSON.stringify({ [name]: value })) - 1;
    const refuse = (detail: string, path = "") => diagnostics.warn(path, "not_carried_over", detail);
    const { propertiesPerObject, propertiesBytes } = PROPERTY_LIMITS;
    if (containsCredentials(value)) {
      refuse("it contains an address with a user name or a password; it is not imported");
    } else if (fault) {
      const steps = fault.path.slice(1).map((step) => `/${escapePointerToken(step)}`);
      refuse(`not a valid property: ${fault.message}`, steps.join(""));
    } else if (entries.size === propertiesPerObject) refuse(`an object has at most ${propertiesPerObject} properties`);
    else if (bytes + size > propertiesBytes) {
      refuse(`the properties of an object have at most ${propertiesBytes} bytes`);
    } else {
      bytes += size;
      entries.set(name, value);
    }
  };
  for (const [i, { name, value, diagnostics }] of values.entries()) {
    const legalName = names[i] ?? name;
    if (legalName !== name) originals[legalName] = name;
    keep(legalName, value, diagnostics);
    if (legalName !== name && entries.has(legalName)) {
      diagnostics.warn("", "key_made", `is not a valid property name, so it became ${JSON.stringify(legalName)}`);
    }
  }
  const [first] = values;
  if (first && Object.keys(originals).length > 0) keep(memberNames, originals, first.diagnostics);
  return entries.size > 0 ? { properties: Object.fromEntries(entries) } : {};
}

function containsCredentials(value: unknown) {
  if (typeof value === "string") return holdsCredentials(value);
  return typeof value === "object" && value !== null && Object.values(value).some(containsCredentials);
}
