import fc from "fast-check";
import * as z from "zod/mini";
import { type JsonObject, toJsonSchema } from "../../../../shared/actions/describe/json-schema.ts";
import { toCanonicalJson } from "../../../../shared/domain/text/json-values.ts";
import type { ValueType } from "../../../../shared/domain/values/value-type.ts";
import { ACTIONS } from "../../../support/actions.ts";
import { modelContent } from "./content.ts";
import { NAUGHTY } from "./strings.ts";

/** The host that a fuzzed service can import from; the address is the test's own. */
export const SOURCE_HOST = "source.example";

const made = new WeakMap<object, fc.Arbitrary<unknown>>();

/** Values a parameter of the type takes: never absent, null or "". Of a type nobody told more about, from its JSON Schema alone. */
export function valuesOfType(type: ValueType<unknown>): fc.Arbitrary<unknown> {
  const known = made.get(type);
  if (known) return known;
  const values = (BY_TYPE[type.id] ?? bySchema(toJsonSchema(type))).filter((value) => accepts(type, value));
  made.set(type, values);
  return values;
}

/** True where the type's schema takes the value as it stands in a JSON body. */
export function accepts(type: ValueType<unknown>, value: unknown): boolean {
  return !isNothing(type, value) && z.safeParse(type.schema(), value).success;
}

/** True for what counts as no value at all. */
export function isNothing(type: ValueType<unknown>, value: unknown): boolean {
  if (value === undefined) return true;
  if (type.nullIsValue) return false;
  if (value === null || value === "") return true;
  return type.blankIsAbsent && typeof value === "string" && value.trim() === "";
}

const prose = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 60 }) },
  { weight: 2, arbitrary: fc.constantFrom(...NAUGHTY) },
);

const moment = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((date) => date.toISOString());
const tagKey = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
const uuid = fc.uuid();
const byId = uuid.map((id) => `id:${id}`);
const localTag = fc.oneof(
  byId,
  tagKey.map((key) => `key:${key}`),
  fc.tuple(uuid, tagKey).map(([id, key]) => `key:model/${id}/${key}`),
);
const globalTag = fc.oneof(
  byId,
  fc.tuple(tagKey, tagKey).map(([group, key]) => `key:${group}/${key}`),
  fc.tuple(tagKey, tagKey).map(([group, key]) => `key:global/${group}/${key}`),
);
const tagScope = fc.oneof(
  fc.constantFrom({ type: "global" }, { type: "global", id: null }),
  uuid.map((id) => ({ type: "model", id })),
);
const tagFilters = fc.record(
  {
    operator: fc.constantFrom("and", "or"),
    items: fc.array(
      tagScope.map((value) => ({ type: "scopeRef", condition: "is", value })),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: [] },
);

/** Keywords that do not contradict each other, with any JSON where that may be. */
const constraints = fc
  .record(
    {
      enum: fc.uniqueArray(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 4, selector: toCanonicalJson }),
      minimum: fc.double({ noNaN: true, noDefaultInfinity: true, max: 0 }),
      exclusiveMaximum: fc.double({ noNaN: true, noDefaultInfinity: true, min: 1 }),
      multipleOf: fc.double({ noNaN: true, noDefaultInfinity: true, min: Number.MIN_VALUE }),
      ...{ minLength: fc.nat({ max: 9 }), maxLength: fc.integer({ min: 9, max: 99 }), pattern: prose },
      ...{ format: fc.stringMatching(/^[a-z-]{1,20}$/), unique: fc.boolean(), unit: fc.constantFrom("kg", "µm", "€") },
      ...{
        default: fc.jsonValue({ maxDepth: 3 }),
        examples: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
      },
    },
    { requiredKeys: [] },
  )
  // A body has no negative zero.
  .map((value) => JSON.parse(JSON.stringify(value)) as object);

const BY_TYPE: { readonly [id: string]: fc.Arbitrary<unknown> } = {
  Fullname: fc.constantFrom("Ada Lovelace", "Ø", "Jean-Luc d'Arc", "Dr. Müller, H.", "山田 太郎", "אדה"),
  TextSingleLine: prose,
  TextMarkdown: prose,
  PasswordClear: prose,
  BootstrapSecret: prose,
  Link: fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ["http", "https", "ftp"] }),
    fc.constantFrom("mailto:ada@example.com", " https://example.com/ ", "https://例え.jp/ü", "ftp://[::1]/x"),
  ),
  Location: fc.stringMatching(/^[a-z]{1,12}$/).map((name) => `http://${SOURCE_HOST}/${name}.json`),
  SourceContent: modelContent,
  Constraints: constraints,
  TagRef: fc.oneof(localTag, globalTag),
  LocalTagRef: localTag,
  GlobalTagRef: globalTag,
  TagSearchFilters: tagFilters,
  LoginName: fc.stringMatching(/^[!-~]{1,40}$/),
  ModelKeyPattern: fc.stringMatching(/^[a-z_*]{1,20}$/),
  "List<ActionPath>": fc.array(fc.constantFrom(...ACTIONS.map(({ group, name }) => `${group}/${name}`)), {
    maxLength: 5,
  }),
  Moment: moment,
  // The key of any list, and what the list of audit entries goes on after.
  Cursor: fc
    .tuple(moment, fc.stringMatching(/^[!#-&(-[\]-_a-~]{1,100}$/))
    .map(([time, key]) => Buffer.from(`${time}#${key}`).toString("base64url")),
};

/** Values of a JSON Schema as Zod prints one: its keywords, each in the plainest way. */
function bySchema(schema: JsonObject): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if ("const" in schema) return fc.constant(schema.const);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return fc.oneof(...branches.map((branch) => bySchema(branch as JsonObject)));
  switch (schema.type) {
    case "string":
      return texts(schema);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer(bounds(schema));
    case "number":
      return fc.double({ ...bounds(schema), noNaN: true, noDefaultInfinity: true });
    case "array":
      return fc.array(bySchema((schema.items ?? {}) as JsonObject), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 5), Number(schema.minItems ?? 0) + 5),
      });
    case "object":
      return objects(schema);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function texts(schema: JsonObject): fc.Arbitrary<string> {
  if (typeof schema.pattern === "string") return fc.stringMatching(new RegExp(schema.pattern, "u"));
  const minLength = Number(schema.minLength ?? 1);
  const maxLength = Math.min(Number(schema.maxLength ?? 60), minLength + 60);
  return fc.oneof(prose, fc.string({ minLength, maxLength }));
}

function bounds(schema: JsonObject): { min: number; max: number } {
  return { min: Number(schema.minimum ?? -1_000_000), max: Number(schema.maximum ?? 1_000_000) };
}

function objects(schema: JsonObject): fc.Arbitrary<unknown> {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  if (members.length === 0) return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }));
  const requiredKeys = (schema.required ?? []) as string[];
  return fc.record(Object.fromEntries(members.map(([name, member]) => [name, bySchema(member)])), { requiredKeys });
}
