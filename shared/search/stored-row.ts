import type { FoundKind, Located, SearchRow } from "../domain/search/rows.ts";
import type { StoredModel, StoredRow } from "./row-statements.ts";

/** An object of a path: its kind, id, key and name. */
type PathMember = readonly [kind: FoundKind, id: string, key: string, name: string | null];
type Facts = readonly [
  tags: readonly string[],
  globalTags: readonly string[],
  keywords: readonly string[],
  format: string | null,
  properties: string | null,
];

const NO_FACTS: Facts = [[], [], [], null, null];

/** The object and what it lies in, innermost first, without the model, as a text; "" for the model. */
export function pathOf(row: SearchRow): string {
  const members: PathMember[] = [];
  for (let one: Located | undefined = row; one && one.kind !== "model"; one = one.above) {
    members.push([one.kind, one.id, one.key, one.name ?? null]);
  }
  return members.length === 0 ? "" : JSON.stringify(members);
}

/** All that a row is found by beside its text, as a text; "" where there is nothing. */
export function factsOf({ tags, globalTags, keywords, format, properties }: SearchRow): string {
  const hasNone = tags.length + globalTags.length + keywords.length === 0 && properties === undefined;
  if (hasNone && format === undefined) return "";
  return JSON.stringify([tags, globalTags, keywords, format ?? null, properties ?? null] satisfies Facts);
}

/** The row that was stored, of a model of the index. */
export function searchRowOf(model: StoredModel, [, , place, text, path, written]: StoredRow): SearchRow {
  const [, id, key, name] = model;
  // Written by `pathOf` and `factsOf`.
  const members: readonly PathMember[] = path === "" ? [] : JSON.parse(path);
  const facts: Facts = written === "" ? NO_FACTS : JSON.parse(written);
  const [tags, globalTags, keywords, format, properties] = facts;
  let row: Located = { kind: "model", id, key, name: name ?? undefined, above: undefined };
  for (const [kind, ownId, ownKey, ownName] of members.toReversed()) {
    row = { kind, id: ownId, key: ownKey, name: ownName ?? undefined, above: row };
  }
  return {
    ...row,
    place,
    text,
    tags,
    globalTags,
    keywords,
    format: format ?? undefined,
    properties: properties ?? undefined,
  };
}
