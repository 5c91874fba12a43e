import * as z from "zod/mini";
import { findTextFault } from "../text/characters.ts";

export type JsonType = "string" | "boolean" | "number" | "array" | "object" | "any";

/** Type of a parameter: its id in `inspect_type_system`, its JSON form and the schema that checks it. */
export interface ValueType<T> {
  readonly id: string;
  readonly json: JsonType;
  readonly description: string;
  /** True for passwords and secrets. They are refused in query strings and never logged. */
  readonly secret: boolean;
  /** True if white space alone means no value, as "" does everywhere. */
  readonly blankIsAbsent: boolean;
  /** True if null and "" are values; otherwise they mean no value. */
  readonly nullIsValue: boolean;
  /** Type of the members of a list. */
  readonly item?: ValueType<unknown>;
  /**
   * Returns the schema that checks the JSON form and converts it to the value for `run`. Built on first use, to keep
   * the start fast.
   */
  readonly schema: () => z.ZodMiniType<T>;
}

interface Declaration<T> {
  readonly id: string;
  readonly json: JsonType;
  readonly description: string;
  readonly schema: () => z.ZodMiniType<T>;
  readonly secret?: boolean;
  readonly blankIsAbsent?: boolean;
  readonly nullIsValue?: boolean;
  readonly item?: ValueType<unknown>;
}

/** Defines a value type. Its schema is built once. */
export function defineValueType<T = string>(d: Declaration<T>): ValueType<T> {
  let built: z.ZodMiniType<T> | undefined;
  return {
    id: d.id,
    json: d.json,
    description: d.description,
    secret: d.secret ?? false,
    blankIsAbsent: d.blankIsAbsent ?? false,
    nullIsValue: d.nullIsValue ?? false,
    ...(d.item && { item: d.item }),
    schema: () => {
      built ??= d.schema();
      return built;
    },
  };
}

/** Creates the schema of a text: well-formed Unicode without NUL, ESC and C1 controls. */
export const textSchema = () =>
  z.string({ error: (issue) => `expected a string, got ${describeJsonType(issue.input)}` }).check(
    z.refine<string>((s) => findTextFault(s) === undefined, {
      error: (i) => findTextFault(String(i.input)),
      abort: true,
    }),
  );

/**
 * Creates a schema that replaces the checked value by the result of `read`. Uses a check, because a pipe of zod would
 * be loaded at start.
 */
export function transformSchema<I, T>(schema: z.ZodMiniType<I>, read: (value: I) => T): z.ZodMiniType<T> {
  // The check changes the type of the value, which zod's types do not express.
  return schema.check(z.overwrite(read as (value: I) => never)) as z.ZodMiniType<unknown> as z.ZodMiniType<T>;
}

/**
 * Creates the schema of a text that `parse` converts, or refuses with a sentence. `pattern` describes the valid texts.
 */
export function createParsedTextSchema<T extends object>(
  pattern: string,
  parse: (written: string) => T | string,
): z.ZodMiniType<T> {
  const parsed = textSchema().check(z.meta({ pattern }), (ctx) => {
    const value = parse(ctx.value);
    if (typeof value === "string") ctx.issues.push({ code: "custom", input: ctx.value, message: value });
    else ctx.value = value as never;
  });
  // The check replaces the text by the value.
  return parsed as z.ZodMiniType<unknown> as z.ZodMiniType<T>;
}

/**
 * Creates the schema of any JSON object. It returns the object itself, because a schema of members would copy it and
 * lose `__proto__`.
 */
export const objectSchema = () =>
  z.unknown().check(
    z.refine((value) => describeJsonType(value) === "an object", {
      error: (issue) => `expected an object, got ${describeJsonType(issue.input)}`,
      // The following checks expect objects.
      abort: true,
    }),
    replaceJsonSchema({ type: "object", additionalProperties: true }),
  ) as z.ZodMiniType<Readonly<Record<string, unknown>>>;

/** Replaces the generated JSON Schema in descriptions, where checks express more than the schema. */
export const replaceJsonSchema = (jsonSchema: Readonly<Record<string, unknown>>) => z.meta({ describedAs: jsonSchema });

/** Returns the JSON type of a value with its article, for messages. */
export function describeJsonType(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
