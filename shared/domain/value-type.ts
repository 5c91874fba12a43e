import * as z from "zod/mini";
import { textFault } from "./legal-text.ts";

export type JsonType = "string" | "boolean" | "number" | "array" | "object";

/** A type of parameter: its id in `inspect_type_system`, its JSON form and the schema that checks it. */
export interface ValueType<T> {
  readonly id: string;
  readonly json: JsonType;
  readonly description: string;
  /** True for passwords and secrets: refused in a query string, left out of every log and event. */
  readonly secret: boolean;
  /** True where white space alone means no value, as "" does everywhere. */
  readonly blankIsAbsent: boolean;
  /** The type of its members, where it is a list. */
  readonly item?: ValueType<unknown>;
  /** Checks the JSON form only: no transformation, no I/O. Built on first use, because building costs start-up time. */
  readonly schema: () => z.ZodMiniType;
  /** The value `run` works with, from JSON the schema accepted. */
  readonly read: (json: unknown) => T;
}

interface Declaration<T> {
  readonly id: string;
  readonly json: JsonType;
  readonly description: string;
  readonly schema: () => z.ZodMiniType;
  readonly secret?: boolean;
  readonly blankIsAbsent?: boolean;
  readonly item?: ValueType<unknown>;
  readonly read?: (json: unknown) => T;
}

/** A value type whose schema is built once. */
export function valueType<T = string>(d: Declaration<T>): ValueType<T> {
  let built: z.ZodMiniType | undefined;
  return {
    id: d.id,
    json: d.json,
    description: d.description,
    secret: d.secret ?? false,
    blankIsAbsent: d.blankIsAbsent ?? false,
    ...(d.item && { item: d.item }),
    schema: () => {
      built ??= d.schema();
      return built;
    },
    // Without a reader of its own the checked JSON is the value.
    read: d.read ?? ((json) => json as T),
  };
}

/** Any text, as the base of more: well-formed, without NUL, ESC and C1 controls. */
export const text = () =>
  z
    .string({ error: (issue) => `expected a string, got ${jsonTypeOf(issue.input)}` })
    .check(
      z.refine<string>((s) => textFault(s) === undefined, { error: (i) => textFault(String(i.input)), abort: true }),
    );

/** The JSON Schema that callers are shown in the place of one made of the schema, whose checks say more. */
export const describedAs = (jsonSchema: Readonly<Record<string, unknown>>) => z.meta({ describedAs: jsonSchema });

/** The JSON name of a value's type, for sentences. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
