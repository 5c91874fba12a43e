import { constraintFaults } from "../../domain/constraints/check.ts";
import { type Constraints, isKeyword } from "../../domain/constraints/keywords.ts";
import { ifDefined } from "../../domain/content.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { type KeptValue, keptProperties } from "../frictionless/kept-properties.ts";
import type { JsonObject } from "../json-object.ts";
import { keyChange } from "../legal-key.ts";
import { isEmpty } from "../members.ts";
import { asName, readDescription, readName } from "../source-texts.ts";
import type { SourceColumn, SourcePart } from "./source-tables.ts";

/** The name and description of a part under a key; without a title a name that is not the key is the name. */
export function textsOf({ name, title, description, findings }: Omit<SourcePart, "path">, key: string) {
  const source = { title, description };
  const called = name === key || name.trim() === "" ? undefined : asName(name);
  return {
    ...ifDefined("name", readName(source, "title", findings) ?? called),
    ...ifDefined("description", readDescription(source, "description", findings)),
  };
}

/** Warns where a key had to be made. */
export function warnKey({ name, findings }: { readonly name: string; readonly findings: Findings }, key: string): void {
  const change = keyChange(name, key);
  if (change !== undefined) findings.warn("", "key_made", change);
}

/** The members of a part that become properties under a namespace. */
export function keptOf(namespace: string, kept: JsonObject | undefined, findings: Findings): readonly KeptValue[] {
  return Object.entries(kept ?? {})
    .filter(([, value]) => !isEmpty(value))
    .map(([member, value]) => ({
      name: `${namespace}:${member}`,
      value,
      findings: findings.at(`/${pointerToken(member)}`),
    }));
}

/** Kept values as the properties of one object. */
export function propertiesOf(namespace: string, values: readonly KeptValue[]) {
  return keptProperties(values, `${namespace}:memberNames`);
}

/** The constraints of a column that fit the vocabulary, and the others, to be kept as properties. */
export function constraintsOf({ constraints = {}, findings }: SourceColumn): {
  readonly constraints?: Constraints;
  readonly misfits: JsonObject;
} {
  const fitting: Record<string, unknown> = {};
  const misfits: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(constraints)) {
    // Null is a value where a keyword is one, and nothing at all elsewhere.
    if (value === undefined || (value === null && keyword !== "default" && keyword !== "const")) continue;
    const one = keyword === "enum" && Array.isArray(value) ? withoutRepeats(value) : value;
    const [fault] = isKeyword(keyword)
      ? constraintFaults({ ...fitting, [keyword]: one })
      : [{ detail: "constraints have no such keyword" }];
    if (fault === undefined) fitting[keyword] = one;
    else {
      misfits[keyword] = value;
      findings.warn(`/${pointerToken(keyword)}`, "kept_as_property", `${fault.detail}; it is kept as a property`);
    }
  }
  return { ...(Object.keys(fitting).length > 0 && { constraints: fitting as Constraints }), misfits };
}

function withoutRepeats(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((one) => [JSON.stringify(one), one])).values()];
}
