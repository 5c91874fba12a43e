import * as z from "zod/mini";
import { describeUnknownKeyword } from "../constraints/check.ts";
import { isKeyword, KEYWORD_NAMES } from "../constraints/keywords.ts";
import { LIMITS } from "../limits.ts";
import { FREE_KEY_PATTERN, parseRef, type Ref, UUID_PATTERN } from "../refs.ts";
import { CONTROLS, findTextFault, TEXT_PATTERN } from "../text/characters.ts";
import { findPropertyNameFault, properties } from "../values/properties.ts";
import { parseTagRef, TAG_REF_PATTERNS } from "../values/ref-types.ts";
import {
  defineValueType,
  describeJsonType,
  replaceJsonSchema,
  textSchema,
  transformSchema,
} from "../values/value-type.ts";
import type { SearchFilter, SearchFilters } from "./filters.ts";

/** Parsed condition with known members, whose values are checked separately. */
interface ParsedCondition {
  readonly type: string;
  readonly condition: string;
  readonly value?: unknown;
}

const WITHOUT_VALUE = ["empty", "notEmpty"];
const WITH_LIST = ["anyOf", "allOf", "noneOf"];
/** An attribute has at most one format. */
const OF_FORMAT = ["anyOf", "noneOf"];

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  tags: [...WITHOUT_VALUE, ...WITH_LIST],
  constraints: [...WITHOUT_VALUE, ...WITH_LIST],
  properties: [...WITHOUT_VALUE, ...WITH_LIST, "equals"],
  format: OF_FORMAT,
  text: ["contains"],
};

/** Members of the list in a condition: their noun, and their check. */
const LIST_MEMBERS: Readonly<
  Record<string, { readonly noun: string; readonly fault: (one: string) => string | undefined }>
> = {
  tags: { noun: "refs to tags", fault: findTagFault },
  constraints: { noun: "keywords", fault: findKeywordFault },
  properties: { noun: "names of properties", fault: findPropertyNameFault },
  format: { noun: "formats", fault: findFormatFault },
};

/** Fault of a condition with its path. */
type Fault = readonly [path: readonly (string | number)[], message: string];

function findConditionFaults({ type, condition, value }: ParsedCondition): readonly Fault[] {
  const conditions = CONDITIONS[type];
  if (!conditions) return [[["type"], `must be ${formatChoices(Object.keys(CONDITIONS))}`]];
  if (!conditions.includes(condition)) {
    return [[["condition"], `of ${type} must be ${formatChoices(conditions)}`]];
  }
  if (type === "text") return findSearchTextFaults(value);
  if (WITHOUT_VALUE.includes(condition)) {
    return value === undefined ? [] : [[["value"], `is not allowed with ${condition}; omit it`]];
  }
  if (condition === "equals") return findPropertiesFaults(value);
  const listed = LIST_MEMBERS[type];
  if (!listed || !Array.isArray(value)) {
    return [[["value"], `expected a list of ${listed?.noun}, got ${describeJsonType(value)}`]];
  }
  if (value.length > LIMITS.searchTags) return [[["value"], `has more than ${LIMITS.searchTags} members`]];
  return value.flatMap((one: unknown, i): Fault[] => {
    const fault = typeof one === "string" ? listed.fault(one) : `expected a string, got ${describeJsonType(one)}`;
    return fault === undefined ? [] : [[["value", i], fault]];
  });
}

function findPropertiesFaults(value: unknown): readonly Fault[] {
  const checked = z.safeParse(properties.schema(), value);
  const [issue] = checked.error?.issues ?? [];
  return issue ? [[["value", ...issue.path.map(String)], issue.message]] : [];
}

function findSearchTextFaults(value: unknown): readonly Fault[] {
  if (typeof value !== "string") return [[["value"], `expected a string, got ${describeJsonType(value)}`]];
  const fault = findTextFault(value);
  if (fault !== undefined) return [[["value"], fault]];
  return value.length > LIMITS.searchCharacters
    ? [[["value"], `longer than ${LIMITS.searchCharacters} characters`]]
    : [];
}

function formatChoices(words: readonly string[]): string {
  return words.join(", ").replace(/, (\w+)$/, " or $1");
}

function findKeywordFault(name: string): string | undefined {
  return findTextFault(name) ?? (isKeyword(name) ? undefined : describeUnknownKeyword(name));
}

function findFormatFault(name: string): string | undefined {
  const { nameCharacters } = LIMITS;
  return findTextFault(name) ?? (name.length > nameCharacters ? `longer than ${nameCharacters} characters` : undefined);
}

function findTagFault(written: string): string | undefined {
  const illegal = findTextFault(written);
  if (illegal !== undefined) return illegal;
  const ref = parseTagRef(written);
  if (typeof ref === "string") return ref;
  if (ref.scheme === "id" || ref.group !== undefined || ref.model !== undefined) return undefined;
  return `${JSON.stringify(written)} does not contain a model; use key:model/<model uuid>/${ref.value}, key:<group>/${ref.value} for a global tag, or id:<uuid>`;
}

const createConditionSchema = () =>
  z
    .strictObject(
      {
        type: textSchema(),
        condition: textSchema(),
        value: z.optional(z.unknown()),
      },
      { error: createObjectError("type, condition and value") },
    )
    .check((ctx) => {
      // The members were checked before.
      for (const [path, message] of findConditionFaults(ctx.value as ParsedCondition)) {
        ctx.issues.push({ code: "custom", input: ctx.value, path: [...path], message });
      }
    }, replaceJsonSchema(CONDITION_SHAPE));

const createFilterSchema = (title: string, type: string, conditions: readonly string[], value?: object) => ({
  title,
  type: "object",
  properties: {
    type: { type: "string", enum: [type] },
    condition: { type: "string", enum: conditions },
    ...(value && { value }),
  },
  required: ["type", "condition", ...(value ? ["value"] : [])],
  additionalProperties: false,
});

/** JSON Schema of the valid conditions. */
const CONDITION_SHAPE = {
  title: "SearchFilter",
  oneOf: [
    createFilterSchema("TagsFilter", "tags", WITH_LIST, {
      type: "array",
      items: { type: "string", pattern: `^(id:${UUID_PATTERN}|key:(${TAG_REF_PATTERNS.placed}))$` },
      maxItems: LIMITS.searchTags,
    }),
    createFilterSchema("AnyTagsFilter", "tags", WITHOUT_VALUE),
    createFilterSchema("ConstraintsFilter", "constraints", WITH_LIST, {
      type: "array",
      items: { type: "string", enum: KEYWORD_NAMES },
      maxItems: LIMITS.searchTags,
    }),
    createFilterSchema("AnyConstraintsFilter", "constraints", WITHOUT_VALUE),
    createFilterSchema("PropertiesFilter", "properties", WITH_LIST, {
      type: "array",
      items: { type: "string", pattern: `^${FREE_KEY_PATTERN}$` },
      maxItems: LIMITS.searchTags,
    }),
    createFilterSchema("AnyPropertiesFilter", "properties", WITHOUT_VALUE),
    createFilterSchema("EqualPropertiesFilter", "properties", ["equals"], {
      type: "object",
      additionalProperties: true,
    }),
    createFilterSchema("FormatFilter", "format", OF_FORMAT, {
      type: "array",
      items: { type: "string", maxLength: LIMITS.nameCharacters, pattern: TEXT_PATTERN },
      maxItems: LIMITS.searchTags,
    }),
    createFilterSchema("TextFilter", "text", ["contains"], {
      type: "string",
      maxLength: LIMITS.searchCharacters,
      pattern: TEXT_PATTERN,
    }),
  ],
};

function createObjectError(members: string) {
  return (issue: { readonly code?: string; readonly input?: unknown; readonly keys?: readonly string[] }): string =>
    issue.code === "unrecognized_keys"
      ? `has the unknown members ${(issue.keys ?? []).join(", ")}; use ${members}`
      : `expected an object, got ${describeJsonType(issue.input)}`;
}

/** Filters of a search, as JSON. */
export const searchFilters = defineValueType<SearchFilters>({
  id: "SearchFilters",
  json: "object",
  description: `The search conditions: \`{"operator": "and" or "or", "items": [condition]}\`; the default operator is \`and\`. Up to ${LIMITS.searchFilters} conditions, each \`{"type": "tags", "condition": "empty" or "notEmpty"}\`, \`{"type": "tags", "condition": "anyOf", "allOf" or "noneOf", "value": [TagRef]}\`, \`{"type": "constraints", …}\` with the same conditions and names of keywords as \`value\`, \`{"type": "properties", …}\` with the same conditions and names of properties as \`value\`, \`{"type": "properties", "condition": "equals", "value": {name: value}}\`, its texts without ${CONTROLS}, \`{"type": "format", "condition": "anyOf" or "noneOf", "value": [format]}\` or \`{"type": "text", "condition": "contains", "value": text}\`.`,
  schema: () =>
    transformSchema(
      z
        .strictObject(
          {
            operator: z.optional(z.enum(["and", "or"], { error: "must be and or or" })),
            items: z.optional(
              z
                .array(createConditionSchema(), {
                  error: (issue) => `expected a list, got ${describeJsonType(issue.input)}`,
                })
                .check(z.maxLength(LIMITS.searchFilters, { error: `has more than ${LIMITS.searchFilters} members` })),
            ),
          },
          { error: createObjectError("operator and items") },
        )
        .check(z.meta({ title: "SearchFilters" })),
      ({ operator = "and", items = [] }): SearchFilters => ({ operator, items: items.map(parseTagRefs) }),
    ),
});

function parseTagRefs(checked: ParsedCondition): SearchFilter<Ref> {
  // The check of conditions accepts nothing else.
  const filter = checked as SearchFilter<string>;
  if (filter.type !== "tags" || !("value" in filter)) return filter;
  // The schema guarantees that each value is a ref.
  return { ...filter, value: filter.value.map((ref) => parseTagRef(ref) as Ref) };
}

/** Members of the rows of an answer. */
export const searchFields = defineValueType<readonly "location"[]>({
  id: "SearchFields",
  json: "array",
  description: 'The members of the found rows: a list of `"location"`, which is always included.',
  schema: () =>
    z.array(z.enum(["location"], { error: "must be location" }), {
      error: (issue) => `expected a list, got ${describeJsonType(issue.input)}`,
    }),
});

/** Scope of tags: global or one model. */
export type TagScope = { readonly type: "global" } | { readonly type: "model"; readonly id: string };

/** Filters of a search for tags. */
export interface TagSearchFilters {
  /** `and` if a tag must match all scopes, `or` if any. */
  readonly operator: "and" | "or";
  /** Without scopes, every tag matches. */
  readonly scopes: readonly TagScope[];
}

/** Filters as callers write them. */
export interface TagFiltersInput {
  readonly operator?: TagSearchFilters["operator"];
  readonly items?: readonly {
    readonly type: "scopeRef";
    readonly condition: "is";
    readonly value: { readonly type: "global" | "model"; readonly id?: string | null };
  }[];
}

const createLiteralSchema = <V extends string>(value: V) => z.literal(value, { error: `must be ${value}` });

const createScopeSchema = () =>
  z
    .strictObject(
      {
        type: z.enum(["global", "model"], { error: "must be global or model" }),
        id: z.optional(z.unknown()),
      },
      { error: 'must be {"type":"global"} or {"type":"model","id":"<uuid>"}' },
    )
    .check((ctx) => {
      const fault = findScopeFault(ctx.value);
      if (fault !== undefined) ctx.issues.push({ code: "custom", input: ctx.value, path: ["id"], message: fault });
    }, replaceJsonSchema(SCOPE_SHAPE));

function findScopeFault({ type, id }: { readonly type: string; readonly id?: unknown }): string | undefined {
  if (type === "global") return id === undefined || id === null ? undefined : "a global scope must not have an id";
  if (id === undefined || id === null) return "a model scope must have the id of the model";
  if (typeof id !== "string") return `expected a string, got ${describeJsonType(id)}`;
  const isRef = typeof parseRef(`id:${id}`) !== "string";
  return findTextFault(id) ?? (isRef ? undefined : `${JSON.stringify(id)} is not a valid UUID`);
}

/** JSON Schema of the valid scopes. */
const SCOPE_SHAPE = {
  title: "TagScope",
  type: "object",
  properties: {
    type: { type: "string", enum: ["global", "model"] },
    id: { type: ["string", "null"], pattern: `^${UUID_PATTERN}$`, description: "Id of the model; only with `model`." },
  },
  required: ["type"],
  additionalProperties: false,
};

export const tagSearchFilters = defineValueType<TagSearchFilters>({
  id: "TagSearchFilters",
  json: "object",
  description: `The search conditions: \`operator\` \`and\` (default) or \`or\`, and up to ${LIMITS.searchFilters} \`items\` \`{"type":"scopeRef","condition":"is","value":<scope>}\`, where a scope is \`{"type":"global"}\` or \`{"type":"model","id":"<uuid>"}\`.`,
  schema: () =>
    transformSchema(
      z
        .strictObject(
          {
            operator: z.optional(z.enum(["and", "or"], { error: "must be and or or" })),
            items: z.optional(
              z
                .array(
                  z
                    .strictObject({
                      type: createLiteralSchema("scopeRef"),
                      condition: createLiteralSchema("is"),
                      value: createScopeSchema(),
                    })
                    .check(z.meta({ title: "TagSearchFilter" })),
                  { error: (issue) => `expected a list, got ${describeJsonType(issue.input)}` },
                )
                .check(z.maxLength(LIMITS.searchFilters, { error: `has more than ${LIMITS.searchFilters} members` })),
            ),
          },
          {
            error: (issue) =>
              issue.code === "invalid_type" ? `expected an object, got ${describeJsonType(issue.input)}` : undefined,
          },
        )
        .check(z.meta({ title: "TagSearchFilters" })),
      ({ operator = "and", items = [] }): TagSearchFilters => ({
        operator,
        scopes: items.map(({ value: { type, id } }) =>
          type === "model" ? { type, id: String(id).toLowerCase() } : { type },
        ),
      }),
    ),
});
