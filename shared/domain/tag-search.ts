import * as z from "zod/mini";
import { textFault } from "./legal-text.ts";
import { LIMITS } from "./limits.ts";
import { parseRef, UUID_PATTERN } from "./refs.ts";
import { describedAs, jsonTypeOf, readBy, valueType } from "./value-type.ts";

/** The place of tags: in groups for all models, or in one model. */
export type TagScope = { readonly type: "global" } | { readonly type: "model"; readonly id: string };

/** The filters of a search for tags. */
export interface TagSearchFilters {
  /** Whether a tag has to fit all items, or any of them. */
  readonly operator: "and" | "or";
  /** Without items every tag fits. */
  readonly scopes: readonly TagScope[];
}

/** Filters as a caller writes them. */
export interface WrittenTagFilters {
  readonly operator?: TagSearchFilters["operator"];
  readonly items?: readonly {
    readonly type: "scopeRef";
    readonly condition: "is";
    readonly value: { readonly type: "global" | "model"; readonly id?: string | null };
  }[];
}

const is = <V extends string>(value: V) => z.literal(value, { error: `must be ${value}` });

const scope = () =>
  z
    .strictObject(
      {
        type: z.enum(["global", "model"], { error: "must be global or model" }),
        id: z.optional(z.unknown()),
      },
      { error: 'must be {"type":"global"} or {"type":"model","id":"<uuid>"}' },
    )
    .check((ctx) => {
      const fault = scopeFault(ctx.value);
      if (fault !== undefined) ctx.issues.push({ code: "custom", input: ctx.value, path: ["id"], message: fault });
    }, describedAs(SCOPE_SHAPE));

function scopeFault({ type, id }: { readonly type: string; readonly id?: unknown }): string | undefined {
  if (type === "global") return id === undefined || id === null ? undefined : "a global scope has no id";
  if (id === undefined || id === null) return "a scope of a model needs the id of the model";
  if (typeof id !== "string") return `expected a string, got ${jsonTypeOf(id)}`;
  const isRef = typeof parseRef(`id:${id}`) !== "string";
  return textFault(id) ?? (isRef ? undefined : `${JSON.stringify(id)} is no UUID of a model`);
}

/** The JSON Schema of a scope that the check lets through. */
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

export const tagSearchFilters = valueType<TagSearchFilters>({
  id: "TagSearchFilters",
  json: "object",
  description: `Which tags: \`operator\` \`and\` (unless given) or \`or\`, and up to ${LIMITS.searchFilters} \`items\` \`{"type":"scopeRef","condition":"is","value":<scope>}\`, where a scope is \`{"type":"global"}\` or \`{"type":"model","id":"<uuid>"}\`.`,
  schema: () =>
    readBy(
      z
        .strictObject(
          {
            operator: z.optional(z.enum(["and", "or"], { error: "must be and or or" })),
            items: z.optional(
              z
                .array(
                  z
                    .strictObject({ type: is("scopeRef"), condition: is("is"), value: scope() })
                    .check(z.meta({ title: "TagSearchFilter" })),
                  { error: (issue) => `expected a list, got ${jsonTypeOf(issue.input)}` },
                )
                .check(z.maxLength(LIMITS.searchFilters, { error: `has more than ${LIMITS.searchFilters} members` })),
            ),
          },
          {
            error: (issue) =>
              issue.code === "invalid_type" ? `expected an object, got ${jsonTypeOf(issue.input)}` : undefined,
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
