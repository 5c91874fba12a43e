import { refOf } from "./bare-ref.ts";
import { EXIT, Failure, usage } from "./failure.ts";
import { formatOf, print, queried } from "./output.ts";
import { type OwnCalls, ownCalls, reading, rowsOf } from "./own-calls.ts";
import type { Terminal } from "./terminal.ts";
import { KINDS_FOUND, SEARCH_FLAGS } from "./verb-flags.ts";

/** What a search finds, as the action answers it with keys. */
interface Found {
  readonly path: string;
  readonly location: { readonly objectType: string; readonly [member: string]: string };
}

/** `metaction search <text>`: what has the text and the tags, each by its place. */
export async function searchModels(place: Terminal, given: readonly string[]): Promise<number> {
  const calls = await ownCalls(place, "search", SEARCH_FLAGS, given);
  const { common, settings } = calls;
  const text = calls.words.join(" ");
  const [tags, kinds] = [calls.list("tag"), kindsOf(calls.list("kind"))];
  if (text === "" && tags.length === 0 && kinds.length === 0) {
    throw usage(
      "search needs a text, a tag or a kind: metaction search customer, metaction search --tag=privacy/personal",
    );
  }
  const limit = Number(calls.text("limit") ?? 100);
  if (!Number.isInteger(limit) || limit < 1)
    throw usage(`--limit=${calls.text("limit")}: write a whole number from 1 on`);
  const models = calls.list("models").map(refOf);
  const found = await rowsOf(
    calls,
    "search",
    {
      filters: {
        items: [
          ...(text === "" ? [] : [{ type: "text", condition: "contains", value: text }]),
          ...(await tagFilters(calls, tags)),
        ],
      },
      ...(models.length > 0 && { models }),
      expand: "keys",
    },
    (row) => kinds.length === 0 || kinds.includes((row as Found).location.objectType),
    limit + 1,
  );
  if (!found) return EXIT.done;
  const rows = found.slice(0, limit) as readonly Found[];
  const format = formatOf(settings.output, place);
  const isForPeople = format === "table" && common.query === undefined;
  await print(
    await queried(isForPeople ? rows.map(shown) : { items: rows }, common),
    format,
    common,
    place,
    "Nothing was found.",
  );
  if (found.length > limit && !common.quiet) place.stderr.writeLine(`There is more: --limit=${limit * 10}`);
  return EXIT.done;
}

/** A row as people read it. The name stands where the key does not say it already. */
function shown({ path, location }: Found) {
  const { objectType } = location;
  const name = location[`${objectType}Label`];
  return { place: path, kind: wordOf(objectType), name: name === location[`${objectType}Key`] ? undefined : name };
}

function wordOf(objectType: string): string {
  const word = Object.entries(KINDS_FOUND).find(([, types]) => types.some((type) => type === objectType))?.[0];
  // A newer service may find more kinds.
  return word ?? objectType;
}

/** The kinds of an answer that words mean, which the flag has checked. */
function kindsOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => KINDS_FOUND[word as keyof typeof KINDS_FOUND]);
}

/** The conditions of tags; a key without a group is that of the tags of models. */
async function tagFilters(calls: OwnCalls, tags: readonly string[]): Promise<readonly object[]> {
  const filters: object[] = [];
  for (const tag of tags) {
    const ref = refOf(tag);
    const value = ref.startsWith("id:") || ref.includes("/") ? [ref] : await localTags(calls, ref.slice("key:".length));
    filters.push({ type: "tags", condition: "anyOf", value });
  }
  return filters;
}

/** The tags of that key that models have. */
async function localTags(calls: OwnCalls, key: string): Promise<readonly string[]> {
  const all = await rowsOf(reading(calls), "tag/tag_search", {});
  const rows = (all ?? []) as readonly {
    readonly id: string;
    readonly key: string;
    readonly group?: { readonly key: string };
  }[];
  const named = rows.filter((row) => row.key === key);
  const refs = named.flatMap((row) => (row.group ? [] : [`id:${row.id}`]));
  if (refs.length > 0) return refs;
  const [global] = named;
  throw new Failure(
    `no model has a tag ${key}${global?.group ? `; did you mean --tag=${global.group.key}/${key}?` : ""}`,
    EXIT.notFound,
  );
}
