import * as z from "zod/mini";
import { describeUnknownKeyword } from "../constraints/check.ts";
import { isKeyword, KEYWORD_NAMES } from "../constraints/keywords.ts";
import { LIMITS } from "../limits.ts";
import { FREE_KEY_PATTERN, type Ref, UUID_PATTERN } from "../refs.ts";
import { CONTROLS, findTextFault, TEXT_PATTERN } from "../text/characters.ts";
import type { ValueFault } from "../text/json-faults.ts";
import { findNearest } from "../text/suggestions.ts";
import { isLogicalTypeName, LOGICAL_TYPE_NAMES } from "../types/logical/logical-type.ts";
import { findPropertyNameFault, properties } from "../values/properties.ts";
import { parseTagRef, TAG_REF_PATTERNS } from "../values/ref-types.ts";
import {
  checkFaults,
  createTextSchema,
  defineValueType,
  describeJsonType,
  expectMembers,
  expectType,
  replaceJsonSchema,
  transformSchema,
} from "../values/value-type.ts";
import type { SearchFilter, SearchFilters } from "./filters.ts";

interface ParsedCondition {
  readonly type: string;
  readonly condition: string;
  readonly value?: unknown;
}

const WITHOUT_VALUE = ["empty", "notEmpty"];
const WITH_LIST = ["anyOf", "allOf", "noneOf"];
/** An attribute has at most one format and logical type. */
const OF_SINGLE = ["anyOf", "noneOf"];

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  tags: [...WITHOUT_VALUE, ...WITH_LIST],
  constraints: [...WITHOUT_VALUE, ...WITH_LIST],
  properties: [...WITHOUT_VALUE, ...WITH_LIST, "equals"],
  format: OF_SINGLE,
  logicalType: OF_SINGLE,
  text: ["contains"],
};

const LIST_MEMBERS: Readonly<
  Record<string, { readonly noun: string; readonly fault: (one: string) => string | undefined }>
> = {
  tags: { noun: "refs to tags", fault: findTagFault },
  constraints: { noun: "keywords", fault: findKeywordFault },
  properties: { noun: "names of properties", fault: findPropertyNameFault },
  format: { noun: "formats", fault: findFormatFault },
  logicalType: { noun: "logical types", fault: findLogicalTypeFault },
};

function findConditionFaults({ type, condition, value }: ParsedCondition): readonly ValueFault[] {
  const refuse = (member: string, detail: string): readonly ValueFault[] => [{ path: [member], detail }];
  const conditions = CONDITIONS[type];
  if (!conditions) return refuse("type", `must be ${formatChoices(Object.keys(CONDITIONS))}`);
  if (!conditions.includes(condition)) return refuse("condition", `of ${type} must be ${formatChoices(conditions)}`);
  if (type === "text") {
    const detail = findSearchTextFault(value);
    return detail === undefined ? [] : refuse("value", detail);
  }
  if (WITHOUT_VALUE.includes(condition)) {
    return value === undefined ? [] : refuse("value", `is not allowed with ${condition}; omit it`);
  }
  if (condition === "equals") {
    const [issue] = z.safeParse(properties.schema(), value).error?.issues ?? [];
    return issue ? [{ path: ["value", ...issue.path.map(String)], detail: issue.message }] : [];
  }
  const item = LIST_MEMBERS[type];
  if (!item || !Array.isArray(value)) {
    return refuse("value", `expected a list of ${item?.noun}, got ${describeJsonType(value)}`);
  }
  if (value.length > LIMITS.searchTags) return refuse("value", `has more than ${LIMITS.searchTags} members`);
  return value.flatMap((one: unknown, i): ValueFault[] => {
    const fault = typeof one === "string" ? item.fault(one) : `expected a string, got ${describeJsonType(one)}`;
    return fault === undefined ? [] : [{ path: ["value", i], detail: fault }];
  });
}

function findSearchTextFault(value: unknown): string | undefined {
  if (typeof value !== "string") return `expected a string, got ${describeJsonType(value)}`;
  const isLong = value.length > LIMITS.searchCharacters;
  return findTextFault(value) ?? (isLong ? `longer than ${LIMITS.searchCharacters} characters` : undefined);
}

function formatChoices(words: readonly string[]) {
  return words.join(", ").replace(/, (\w+)$/, " or $1");
}

function findKeywordFault(name: string): string | undefined {
  return findTextFault(name) ?? (isKeyword(name) ? undefined : describeUnknownKeyword(name));
}

function findFormatFault(name: string): string | undefined {
  const { nameCharacters } = LIMITS;
  return findTextFault(name) ?? (name.length > nameCharacters ? `longer than ${nameCharacters} characters` : undefined);
}

function findLogicalTypeFault(name: string): string | undefined {
  if (isLogicalTypeName(name)) return undefined;
  const close = findNearest(name, LOGICAL_TYPE_NAMES);
  const hint = close ? `did you mean ${close}?` : `use one of ${LOGICAL_TYPE_NAMES.join(", ")}`;
  return findTextFault(name) ?? `${JSON.stringify(name.slice(0, 60))} is not a logical type; ${hint}`;
}

function findTagFault(text: string): string | undefined {
  const illegal = findTextFault(text);
  if (illegal !== undefined) return illegal;
  const ref = parseTagRef(text);
  if (typeof ref === "string") return ref;
  if (ref.scheme === "id" || ref.group !== undefined || ref.model !== undefined) return undefined;
  return `${JSON.stringify(text)} does not contain a model; use key:model/<model uuid>/${ref.value}, key:<group>/${ref.value} for a global tag, or id:<uuid>`;
}

const createConditionSchema = () =>
  z
    .strictObject(
      {
        type: createTextSchema(),
        condition: createTextSchema(),
        value: z.optional(z.unknown()),
      },
      expectMembers("use type, condition and value"),
    )
    // The members were checked before.
    .check(
      checkFaults((value) => findConditionFaults(value as ParsedCondition)),
      replaceJsonSchema(CONDITION_SHAPE),
    );

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

const createListSchema = (items: object) => ({
  type: "array",
  items: { type: "string", ...items },
  maxItems: LIMITS.searchTags,
});

/** JSON Schemas of the values that a condition on a list names. */
const LISTED_VALUES = {
  tags: { pattern: `^(id:${UUID_PATTERN}|key:(${TAG_REF_PATTERNS.placed}))$` },
  constraints: { enum: KEYWORD_NAMES },
  properties: { pattern: `^${FREE_KEY_PATTERN}$` },
};

const SEARCHED_TEXT = { type: "string", maxLength: LIMITS.searchCharacters, pattern: TEXT_PATTERN };

const CONDITION_SHAPE = {
  title: "SearchFilter",
  oneOf: [
    ...Object.entries(LISTED_VALUES).flatMap(([type, value]) => {
      const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}Filter`;
      return [
        createFilterSchema(name, type, WITH_LIST, createListSchema(value)),
        createFilterSchema(`Any${name}`, type, WITHOUT_VALUE),
      ];
    }),
    createFilterSchema("EqualPropertiesFilter", "properties", ["equals"], {
      type: "object",
      additionalProperties: true,
    }),
    createFilterSchema(
      "FormatFilter",
      "format",
      OF_SINGLE,
      createListSchema({ maxLength: LIMITS.nameCharacters, pattern: TEXT_PATTERN }),
    ),
    createFilterSchema("LogicalTypeFilter", "logicalType", OF_SINGLE, createListSchema({ enum: LOGICAL_TYPE_NAMES })),
    createFilterSchema("TextFilter", "text", ["contains"], SEARCHED_TEXT),
  ],
};

function createFiltersSchema<I extends z.ZodMiniType>(
  title: string,
  item: I,
  error: Parameters<typeof z.strictObject>[1],
) {
  const list = z.array(item, expectType("a list"));
  const excess = { error: `has more than ${LIMITS.searchFilters} members` };
  const operator = z.optional(z.enum(["and", "or"], { error: "must be and or or" }));
  const items = z.optional(list.check(z.maxLength(LIMITS.searchFilters, excess)));
  return z.strictObject({ operator, items }, error).check(z.meta({ title }));
}

export const searchFilters = defineValueType<SearchFilters>({
  id: "SearchFilters",
  json: "object",
  description:
    `The search conditions: \`{"operator": "and" or "or", "items": [condition]}\`; ` +
    `the default operator is \`and\`. ` +
    `Up to ${LIMITS.searchFilters} conditions, each \`{"type": "tags", "condition": "empty" or "notEmpty"}\`, \`{"type": "tags", "condition": "anyOf", "allOf" or "noneOf", "value": [TagRef]}\`, \`{"type": "constraints", …}\` with the same conditions and names of keywords as \`value\`, \`{"type": "properties", …}\` with the same conditions and names of properties as \`value\`, \`{"type": "properties", "condition": "equals", "value": {name: value}}\`, its texts without ${CONTROLS}, \`{"type": "format", "condition": "anyOf" or "noneOf", "value": [format]}\`, \`{"type": "logicalType", …}\` with the same conditions and names of logical types (${LOGICAL_TYPE_NAMES.join(", ")}), or \`{"type": "text", "condition": "contains", "value": text}\`.`,
  schema: () =>
    transformSchema(
      createFiltersSchema("SearchFilters", createConditionSchema(), expectMembers("use operator and items")),
      ({ operator = "and", items = [] }): SearchFilters => ({ operator, items: items.map(parseTagRefs) }),
    ),
});

function parseTagRefs(condition: ParsedCondition): SearchFilter<Ref> {
  // The check of conditions accepts nothing else.
  const filter = condition as SearchFilter<string>;
  if (filter.type !== "tags" || !("value" in filter)) return filter;
  // The schema guarantees that each value is a ref.
  return { ...filter, value: filter.value.map((ref) => parseTagRef(ref) as Ref) };
}

export const searchFields = defineValueType<readonly "location"[]>({
  id: "SearchFields",
  json: "array",
  description: 'The members of the found rows: a list of `"location"`, which is always included.',
  schema: () => z.array(z.enum(["location"], { error: "must be location" }), expectType("a list")),
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

const createScopeSchema = () =>
  z
    .strictObject(
      {
        type: z.enum(["global", "model"], { error: "must be global or model" }),
        id: z.optional(z.unknown()),
      },
      { error: 'must be {"type":"global"} or {"type":"model","id":"<uuid>"}' },
    )
    .check(checkFaults(findScopeFault), replaceJsonSchema(SCOPE_SHAPE));

const createScopeFilterSchema = () =>
  z
    .strictObject({
      type: z.literal("scopeRef", { error: "must be scopeRef" }),
      condition: z.literal("is", { error: "must be is" }),
      value: createScopeSchema(),
    })
    .check(z.meta({ title: "TagSearchFilter" }));

function findScopeFault({ type, id }: { readonly type: string; readonly id?: unknown }): ValueFault | undefined {
  const detail = describeScopeFault(type, id);
  return detail === undefined ? undefined : { path: ["id"], detail };
}

function describeScopeFault(type: string, id: unknown): string | undefined {
  if (type === "global") return id === undefined || id === null ? undefined : "a global scope must not have an id";
  if (id === undefined || id === null) return "a model scope must have the id of the model";
  if (typeof id !== "string") return `expected a string, got ${describeJsonType(id)}`;
  return findTextFault(id) ?? (IDS.test(id) ? undefined : `${JSON.stringify(id)} is not a valid UUID`);
}

/** An id, or the ref by id that an answer with `expand=refs` has. */
const IDS = new RegExp(`^(id:)?${UUID_PATTERN}$`);

const SCOPE_SHAPE = {
  title: "TagScope",
  type: "object",
  properties: {
    type: { type: "string", enum: ["global", "model"] },
    id: {
      type: ["string", "null"],
      pattern: IDS.source,
      description: "Id of the model, or its ref by id; only with `model`.",
    },
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
      createFiltersSchema("TagSearchFilters", createScopeFilterSchema(), {
        error: (issue) => (issue.code === "invalid_type" ? expectType("an object").error(issue) : undefined),
      }),
      ({ operator = "and", items = [] }): TagSearchFilters => ({
        operator,
        scopes: items.map(({ value: { type, id } }) =>
          type === "model" ? { type, id: String(id).replace("id:", "").toLowerCase() } : { type },
        ),
      }),
    ),
});
