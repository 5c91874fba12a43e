import { jsonTypeOf } from "../../domain/value-type.ts";
import { isObject } from "../json-object.ts";

/** Why a value is none of a shape, as the rest of a sentence; undefined for one that is. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) =>
  typeof value === "string" && value.trim() !== "" ? undefined : `expected a text, got ${jsonTypeOf(value)}`;

const objects: Check = (value) =>
  Array.isArray(value) && value.every(isObject) ? undefined : "expected a list of objects";

const moment: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(value)
    ? undefined
    : "expected a date or a date and time by RFC 3339";

/** The well-known properties that members of descriptors may have the name of, with what they hold. */
const CHECKS: Readonly<Record<string, Check>> = {
  owner: text,
  steward: text,
  licenses: objects,
  sources: objects,
  contributors: objects,
  created: moment,
  classification: text,
};

/** Why a value does not fit the well-known property of a name; undefined where it fits or there is no such property. */
export function wellKnownFault(name: string, value: unknown): string | undefined {
  return Object.hasOwn(CHECKS, name) ? CHECKS[name]?.(value) : undefined;
}
