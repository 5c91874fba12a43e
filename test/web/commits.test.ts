import { expect, test } from "vitest";
import { formatValue, listMemberChanges } from "../../ui/parts/changed/difference-path.ts";
import { type ChangeRow, filterCommits, groupCommits, listVisibleMembers } from "../../ui/screens/history/commits.ts";

const row = (revision: number, key: string, more: Partial<ChangeRow> = {}): ChangeRow => ({
  revision,
  time: "2026-08-03T09:30:00.000Z",
  actorName: revision === 2 ? "Ada Lovelace" : "Grace Hopper",
  channel: "http",
  requestId: "r",
  actions: [],
  change: "update",
  kind: "attribute",
  id: key,
  key,
  ...more,
});
const rows = [
  row(2, "member", { apiToken: "t", apiTokenName: "Nightly" }),
  row(3, "card"),
  row(3, "fee", { kind: "entity" }),
  row(4, "due"),
];
const keysOf = (commits: ReturnType<typeof groupCommits>) =>
  commits.map(({ revision, changes }) => [revision, ...changes.map(({ key }) => key)]);

test("changes are grouped by commit, the newest first, and each has an id in its commit", () => {
  const commits = groupCommits(rows);
  expect(keysOf(commits)).toEqual([
    [4, "due"],
    [3, "card", "fee"],
    [2, "member"],
  ]);
  expect(commits[1]?.changes.map(({ at }) => at)).toEqual(["3-0", "3-1"]);
  expect(groupCommits([])).toEqual([]);
});

test("changes are found by key, path, actor and API token, without regard to case and accents", () => {
  const commits = groupCommits(rows);
  const matching = (text: string, kind?: string) => keysOf(filterCommits(commits, { text, kind }, () => "Prêt"));
  expect(matching("LOVELACE")).toEqual([[2, "member"]]);
  expect(matching("nightly")).toEqual([[2, "member"]]);
  expect(matching("fee")).toEqual([[3, "fee"]]);
  expect(matching("pret")).toEqual(keysOf(commits));
  expect(matching("", "entity")).toEqual([[3, "fee"]]);
  expect(matching("due", "entity")).toEqual([]);
});

test("an image shows keys instead of ids, and omits members of the path", () => {
  const image = { key: "card", type: "01a2", owner: "01a1", order: 3 };
  expect(listVisibleMembers(image, { type: "key:string", owner: "key:loan" })).toEqual({
    key: "card",
    type: "key:string",
  });
  expect(listVisibleMembers(undefined, undefined)).toBeUndefined();
});

test("values have a readable form", () => {
  const words = { yes: "Yes", no: "No" };
  expect([formatValue("key:string", words), formatValue(false, words)]).toEqual(["string", "No"]);
  expect(formatValue(["key:a", "key:b"], words)).toBe("a\nb");
  expect(formatValue([{ key: "loan", entity: "key:loan", cardinality: "many" }], words)).toBe("loan · loan · many");
  expect(formatValue([["key:a", "key:b"]], words)).toBe("a = b");
  expect(formatValue({ format: "email" }, words)).toBe('{\n  "format": "email"\n}');
  for (const none of [undefined, null, "", []]) expect(formatValue(none, words)).toBeUndefined();
});

test("the members to show are the requested ones, and for properties the member with all of them", () => {
  const before = { key: "email", optional: true, properties: { source: "a" } };
  const after = { key: "email", optional: false, properties: { source: "b" }, tags: [] };
  const listMembers = (was: typeof before | undefined, requested?: readonly string[]) =>
    listMemberChanges(was, after, { yes: "Yes", no: "No" }, requested).map(({ member }) => member);
  expect(listMembers(before, ["optional", "properties.source"])).toEqual(["optional", "properties"]);
  expect(listMembers(undefined)).toEqual(["key", "optional", "properties"]);
});
