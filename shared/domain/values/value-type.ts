import * as z from "zod/mini";
import { findTextFault } from "../text/characters.ts";
import type { ValueFault } from "../text/json-faults.ts";

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
  readonly item?: ValueType<unknown>;
  /** Returns the schema that checks and converts the JSON form. Built on first use, for a fast start. */
  readonly schema: () => z.ZodMiniType<T>;
}

type Option = "secret" | "blankIsAbsent" | "nullIsValue";
type Declaration<T> = Omit<ValueType<T>, Option> & Partial<Pick<ValueType<T>, Option>>;

/** Defines a value type. Its schema is built once. */
export function defineValueType<T = string>(d: Declaration<T>): ValueType<T> {
  let cache: z.ZodMiniType<T> | undefined;
  const schema = () => {
    cache ??= d.schema();
    return cache;
  };
  return { secret: false, blankIsAbsent: false, nullIsValue: false, ...d, schema };
}

/** Defines a type of texts that also pass the checks. */
export function defineTextType(
  id: string,
  description: string,
  checks: () => Parameters<ReturnType<typeof createTextSchema>["check"]>,
  options: Partial<Pick<ValueType<string>, Option>> = {},
): ValueType<string> {
  return defineValueType({
    ...options,
    id,
    json: "string",
    description,
    schema: () => createTextSchema().check(...checks()),
  });
}

/** Defines a type with a few names as values. */
export function defineChoiceType<const N extends readonly [string, ...string[]]>(
  id: string,
  description: string,
  names: N,
): ValueType<N[number]> {
  const error = `must be ${names.length > 2 ? `one of ${names.join(", ")}` : names.join(" or ")}`;
  return defineValueType({ id, json: "string", description, schema: () => z.enum(names, { error }) });
}

/** Returns the option of a schema with its message for a value of another JSON type. */
export const expectType = (noun: string) => ({
  error: (issue: { readonly input?: unknown }) => `expected ${noun}, got ${describeJsonType(issue.input)}`,
});

/** Returns the option of a strict object with messages. */
export const expectMembers = (members: string) => ({
  error: (issue: { readonly code?: string; readonly input?: unknown; readonly keys?: readonly string[] }) =>
    issue.code === "unrecognized_keys"
      ? `has the unknown members ${(issue.keys ?? []).join(", ")}; ${members}`
      : `expected an object, got ${describeJsonType(issue.input)}`,
});

/** Creates a check that a text has at most `most` characters. */
export const limitCharacters = (most: number) => z.maxLength(most, { error: `longer than ${most} characters` });

/** Creates a check that a text has at most `most` bytes. */
export const limitBytes = (most: number) =>
  requireText((text) => Buffer.byteLength(text) <= most, `longer than ${most} bytes`);

/** Creates a check that a text passes a test. */
export const requireText = (isValid: (text: string) => boolean, error: string) => z.refine<string>(isValid, { error });

/** Creates a check that reports the faults of a value. */
export function checkFaults<T>(find: (value: T) => readonly ValueFault[] | ValueFault | undefined) {
  return (ctx: z.core.ParsePayload<T>) => {
    for (const { path, detail } of [find(ctx.value) ?? []].flat()) {
      ctx.issues.push({ code: "custom", input: ctx.value, path: [...path], message: detail });
    }
  };
}

/** Creates the schema of a text: well-formed Unicode without NUL, ESC and C1 controls. */
export const createTextSchema = () =>
  z.string(expectType("a string")).check(
    z.refine<string>((s) => findTextFault(s) === undefined, {
      error: (i) => findTextFault(String(i.input)),
      abort: true,
    }),
  );

/** Replaces the checked value by the result of `read`. A pipe of zod would have to be loaded at start. */
export function transformSchema<I, T>(schema: z.ZodMiniType<I>, read: (value: I) => T): z.ZodMiniType<T> {
  // The check changes the type of the value, which zod's types do not express.
  return schema.check(z.overwrite(read as (value: I) => never)) as z.ZodMiniType<unknown> as z.ZodMiniType<T>;
}

/** Creates the schema of a text that `parse` converts, or refuses with a sentence. */
export function createParsedTextSchema<T extends object>(
  pattern: string,
  parse: (text: string) => T | string,
): z.ZodMiniType<T> {
  const schema = createTextSchema().check(z.meta({ pattern }), (ctx) => {
    const value = parse(ctx.value);
    if (typeof value === "string") ctx.issues.push({ code: "custom", input: ctx.value, message: value });
    else ctx.value = value as never;
  });
  // The check replaces the text by the value.
  return schema as z.ZodMiniType<unknown> as z.ZodMiniType<T>;
}

/** Creates the schema of any JSON object. A schema of members would copy the object and lose `__proto__`. */
export const createObjectSchema = () =>
  z.unknown().check(
    z.refine((value) => describeJsonType(value) === "an object", {
      ...expectType("an object"),
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
