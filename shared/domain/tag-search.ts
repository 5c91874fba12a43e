import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { parseRef } from "./refs.ts";
import { jsonTypeOf, text, valueType } from "./value-type.ts";

/** Where tags live: in groups for all models, or in one model. */
export type TagScope = { readonly type: "global" } | { readonly type: "model"; readonly id: string };

/** Which tags a search is for. */
export interface TagSearchFilters {
  /** Whether a tag has to fit all items, or any of them. */
  readonly operator: "and" | "or";
  /** Without items every tag fits. */
  readonly scopes: readonly TagScope[];
}

/** Filters as a caller writes them. */
export interface WrittenTagFilters {
  readonly operator?: TagSearchFilters["operator"];
  readonly items?: readonly { readonly value: { readonly type: "global" | "model"; readonly id?: string | null } }[];
}

const is = <V extends string>(value: V) => z.literal(value, { error: `must be ${value}` });

const scope = () =>
  z.discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("global"), id: z.optional(z.null({ error: "a global scope has no id" })) }),
      z.strictObject({
        type: z.literal("model"),
        id: text().check(
          z.refine<string>((id) => typeof parseRef(`id:${id}`) !== "string", {
            error: (issue) => `${JSON.stringify(issue.input)} is no UUID of a model`,
          }),
        ),
      }),
    ],
    { error: 'must be {"type":"global"} or {"type":"model","id":"<uuid>"}' },
  );

export const tagSearchFilters = valueType<TagSearchFilters>({
  id: "TagSearchFilters",
  json: "object",
  description: `Which tags: \`operator\` \`and\` (unless given) or \`or\`, and up to ${LIMITS.searchFilters} \`items\` \`{"type":"scopeRef","condition":"is","value":<scope>}\`, where a scope is \`{"type":"global"}\` or \`{"type":"model","id":"<uuid>"}\`.`,
  schema: () =>
    z.strictObject(
      {
        operator: z.optional(z.enum(["and", "or"], { error: "must be and or or" })),
        items: z.optional(
          z
            .array(z.strictObject({ type: is("scopeRef"), condition: is("is"), value: scope() }), {
              error: (issue) => `expected a list, got ${jsonTypeOf(issue.input)}`,
            })
            .check(z.maxLength(LIMITS.searchFilters, { error: `has more than ${LIMITS.searchFilters} members` })),
        ),
      },
      {
        error: (issue) =>
          issue.code === "invalid_type" ? `expected an object, got ${jsonTypeOf(issue.input)}` : undefined,
      },
    ),
  read: (json) => {
    // The schema has accepted it.
    const { operator = "and", items = [] } = json as WrittenTagFilters;
    const scopes = items.map(
      ({ value: { type, id } }): TagScope => (type === "model" ? { type, id: String(id).toLowerCase() } : { type }),
    );
    return { operator, scopes };
  },
});
