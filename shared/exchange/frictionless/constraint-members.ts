import { constraintFaults } from "../../domain/constraints/check.ts";
import { type Constraints, isKeyword } from "../../domain/constraints/keywords.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { isAbsent, isObject, type JsonObject } from "../json-object.ts";

/** What the constraints and the format of a field say of an attribute. */
export interface ReadConstraints {
  readonly optional: boolean;
  readonly constraints?: Constraints;
}

const NUMBERS = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"]);
const COUNTS = new Set(["minLength", "maxLength"]);
const NUMERIC = new Set(["number", "integer", "year"]);

/**
 * The constraints of a field of a type in the vocabulary of attributes: `required`, the format, and each constraint that is a
 * keyword with a value that fits. Numbers may be written as texts. A constraint that does not fit is a warning.
 */
export function readConstraints(source: JsonObject, type: string, findings: Findings): ReadConstraints {
  const given = isObject(source.constraints) ? source.constraints : {};
  const { required } = given;
  if (!isAbsent(required) && typeof required !== "boolean") {
    findings.warn("/constraints/required", "assumed", "is neither true nor false, so the attribute is optional");
  }
  const fitting: Record<string, unknown> = {};
  const take = (keyword: string, value: unknown, place: string): void => {
    const [fault] = isKeyword(keyword) ? constraintFaults({ ...fitting, [keyword]: value }) : [{ detail: UNKNOWN }];
    if (fault === undefined) fitting[keyword] = value;
    else findings.warn(place, "kept_as_property", `${fault.detail}; it is kept as a property`);
  };
  if (!isAbsent(source.format) && source.format !== "default") take("format", source.format, "/format");
  for (const [keyword, value] of Object.entries(given)) {
    const place = `/constraints/${pointerToken(keyword)}`;
    if (keyword !== "required" && keyword !== "format" && !isAbsent(value)) {
      take(keyword, meant(keyword, value, type), place);
    }
  }
  return {
    optional: required !== true,
    ...(Object.keys(fitting).length > 0 && { constraints: fitting as Constraints }),
  };
}

const UNKNOWN = "constraints of attributes have no such keyword";

/** The value that a constraint means: a number written as text, a list without repeated values. */
function meant(keyword: string, value: unknown, type: string): unknown {
  const isNumeral = typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim());
  if (isNumeral && NUMBERS.has(keyword) && (COUNTS.has(keyword) || NUMERIC.has(type))) return Number(value);
  if (keyword !== "enum" || !Array.isArray(value)) return value;
  return [...new Map(value.map((one) => [JSON.stringify(one), one])).values()];
}

/** The members `format` and `constraints` of a field. */
export function constraintMembers({ optional, constraints = {} }: ReadConstraints): JsonObject {
  const { format, ...others } = constraints;
  const written = { ...(!optional && { required: true }), ...others };
  return {
    ...(format !== undefined && { format }),
    ...(Object.keys(written).length > 0 && { constraints: written }),
  };
}
