import * as z from "zod/mini";
import { findTextFault } from "../text/characters.ts";

export type JsonType = "string" | "boolean" | "number" | "array" | "object" | "any";

/** A type of parameter: its id in `inspect_type_system`, its JSON form and the schema that checks it. */
export interface ValueType<T> {
  readonly id: string;
  readonly json: JsonType;
  readonly description: string;
  /** True for passwords and secrets: refused in a query string, left out of every log and event. */
  readonly secret: boolean;
  /** True where white space alone means no value, as "" does everywhere. */
  readonly blankIsAbsent: boolean;
  /** True where null and "" are values like any other; else they are absent. */
  readonly nullIsValue: boolean;
  /** The type of its members, where it is a list. */
  readonly item?: ValueType<unknown>;
  /** Checks the JSON form and gives the value `run` works with; no I/O. Built on first use, because building costs time at start. */
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

/** A value type whose schema is built once. */
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

/** Any text, as the base of more: well-formed, without NUL, ESC and C1 controls. */
export const textSchema = () =>
  z.string({ error: (issue) => `expected a string, got ${describeJsonType(issue.input)}` }).check(
    z.refine<string>((s) => findTextFault(s) === undefined, {
      error: (i) => findTextFault(String(i.input)),
      abort: true,
    }),
  );

/** A schema that puts the result of `read` in the place of the checked value; by a check, as a pipe of zod would be code at start. */
export function transformSchema<I, T>(schema: z.ZodMiniType<I>, read: (value: I) => T): z.ZodMiniType<T> {
  // The check changes the type of the value, which the schema cannot tell.
  return schema.check(z.overwrite(read as (value: I) => never)) as z.ZodMiniType<unknown> as z.ZodMiniType<T>;
}

/** A text that `parse` makes a value of, or refuses with a sentence; `pattern` is that of the texts it takes. */
export function createParsedTextSchema<T extends object>(
  pattern: string,
  parse: (written: string) => T | string,
): z.ZodMiniType<T> {
  const parsed = textSchema().check(z.meta({ pattern }), (ctx) => {
    const value = parse(ctx.value);
    if (typeof value === "string") ctx.issues.push({ code: "custom", input: ctx.value, message: value });
    else ctx.value = value as never;
  });
  // The check puts the value in the place of the text.
  return parsed as z.ZodMiniType<unknown> as z.ZodMiniType<T>;
}

/** Any JSON object, handed on as it is: a schema of its members would copy it and lose one named `__proto__`. */
export const objectSchema = () =>
  z.unknown().check(
    z.refine((value) => describeJsonType(value) === "an object", {
      error: (issue) => `expected an object, got ${describeJsonType(issue.input)}`,
      // The checks that follow are of objects.
      abort: true,
    }),
    replaceJsonSchema({ type: "object", additionalProperties: true }),
  ) as z.ZodMiniType<Readonly<Record<string, unknown>>>;

/** The JSON Schema that callers are shown in the place of one made of the schema, whose checks say more. */
export const replaceJsonSchema = (jsonSchema: Readonly<Record<string, unknown>>) => z.meta({ describedAs: jsonSchema });

/** The JSON name of a value's type, for sentences. */
export function describeJsonType(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
