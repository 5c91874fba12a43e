import { describe, expect, test } from "vitest";
import type { DocumentObject } from "../../shared/domain/compare/document-members.ts";
import { findLikelyRenames, matchDocuments, matchLists } from "../../shared/domain/compare/match-documents.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";

type Listed = readonly (DocumentObject | string)[];

const objects = (list: Listed): readonly DocumentObject[] =>
  list.map((one) => (typeof one === "string" ? { key: one } : one));

/** The matches in short, with what is on one side alone. */
function matched(left: Listed, right: Listed, single = false) {
  const { matches, onlyLeft, onlyRight } = matchLists(objects(left), objects(right), { single });
  return {
    matches: matches.map((one) => `${one.left.key} ${one.by} ${one.right.key}`),
    left: onlyLeft.map(({ key }) => key),
    right: onlyRight.map(({ key }) => key),
  };
}

const none = { matches: [], left: [], right: [] };

describe("the objects of two lists are matched", () => {
  test("by id first", () => {
    const left = [
      { id: "1", key: "a", origin: "s#/x" },
      { id: "2", key: "b", origin: "s#/y" },
    ];
    const right = [
      { id: "2", key: "a", origin: "s#/x" },
      { id: "1", key: "b", origin: "s#/y", renamedFrom: "b" },
    ];
    expect(matched(left, right)).toEqual({ ...none, matches: ["a id b", "b id a"] });
  });

  test("then by origin, before former keys and keys", () => {
    const left = [{ key: "a", origin: "s#/x" }, "b"];
    const right = ["a", { key: "c", origin: "s#/x", renamedFrom: "b" }];
    expect(matched(left, right)).toEqual({ matches: ["a origin c"], left: ["b"], right: ["a"] });
  });

  test("by former key, if no object has its present key", () => {
    const right = [{ key: "b", renamedFrom: "a" }];
    expect(matched(["a"], right)).toEqual({ ...none, matches: ["a renamedFrom b"] });
    // Once it is renamed, the document says the same still.
    expect(matched(["b"], right)).toEqual({ ...none, matches: ["b key b"] });
    expect(matched(["a", "b"], right)).toEqual({ matches: ["b key b"], left: ["a"], right: [] });
  });

  test("through a chain of renames, where the second frees the key of the first", () => {
    const chain = [
      { key: "b", renamedFrom: "a" },
      { key: "c", renamedFrom: "b" },
    ];
    expect(matched(["a", "b"], chain)).toEqual({ ...none, matches: ["b renamedFrom c", "a renamedFrom b"] });
    expect(matched(["b", "c"], chain)).toEqual({ ...none, matches: ["b key b", "c key c"] });
  });

  test("by key last", () => {
    expect(matched(["a", "b"], ["b", "c"])).toEqual({ matches: ["b key b"], left: ["a"], right: ["c"] });
  });

  test("only if the match is unambiguous", () => {
    const twice = [
      { key: "a", origin: "s#/x" },
      { key: "b", origin: "s#/x" },
    ];
    expect(matched(twice, [{ key: "c", origin: "s#/x" }])).toEqual({ matches: [], left: ["a", "b"], right: ["c"] });
    expect(matched([{ key: "c", origin: "s#/x" }], twice)).toEqual({ matches: [], left: ["c"], right: ["a", "b"] });
    const rivals = [
      { key: "c", renamedFrom: "a" },
      { key: "d", renamedFrom: "a" },
    ];
    expect(matched(["a"], rivals)).toEqual({ matches: [], left: ["a"], right: ["c", "d"] });
    expect(
      matched(
        [{ id: "1", key: "a" }],
        [
          { id: "1", key: "b" },
          { id: "1", key: "c" },
        ],
      ).matches,
    ).toEqual([]);
    // What one thing leaves in doubt, the next may tell.
    expect(matched(twice, [{ key: "a", origin: "s#/x" }]).matches).toEqual(["a key a"]);
  });

  test("as the only ones of their lists, where this is permitted", () => {
    expect(matched(["a"], ["b"])).toEqual({ matches: [], left: ["a"], right: ["b"] });
    expect(matched(["a"], ["b"], true)).toEqual({ ...none, matches: ["a single b"] });
    expect(matched(["a", "c"], ["b", "c"], true)).toEqual({ matches: ["c key c"], left: ["a"], right: ["b"] });
    expect(matched([], ["b"], true)).toEqual({ matches: [], left: [], right: ["b"] });
  });
});

const document = (entity: string, attributes: readonly string[]): ModelDocument => ({
  $schema: "urn:metaction:model:2",
  key: entity,
  name: entity,
  version: "1.0.0",
  authority: "system",
  types: [{ key: "string" }],
  entities: [
    {
      key: entity,
      attributes: attributes.map((key) => ({ key, type: "key:string", optional: false })),
      primaryKey: [],
    },
  ],
  relationships: [],
  businessKeys: [],
  localTags: [{ key: entity }],
  tagGroups: [],
});

test("two documents share the matched objects of their lists, and of nested lists", () => {
  const [left, right] = [document("old", ["a", "b"]), document("new", ["b", "c"])];
  const { findLeft: leftOf, findRight: rightOf, getMatchedBy: matchedBy, lists } = matchDocuments(left, right);
  const [was, is] = [left.entities[0], right.entities[0]];
  if (!was || !is) throw new Error("no entity");
  // The only table is the same one; of tags there may be any number.
  expect(leftOf(is)).toBe(was);
  expect(rightOf(was)).toBe(is);
  expect(matchedBy(is)).toBe("single");
  expect(right.localTags.map(leftOf)).toEqual([undefined]);
  expect(is.attributes.map((one) => leftOf(one)?.key)).toEqual(["b", undefined]);
  expect(was.attributes.map((one) => rightOf(one)?.key)).toEqual([undefined, "b"]);
  const attributes = lists.find(({ member }) => member === "attributes");
  expect(attributes).toMatchObject({ holders: [was, is], onlyLeft: [{ key: "a" }], onlyRight: [{ key: "c" }] });
});

test("a rename is likely only between two objects without another candidate", () => {
  const entity = (key: string) => ({
    ...{ key, primaryKey: [] },
    attributes: key === "other" ? [] : [{ key: "code", type: "key:string", optional: false }],
  });
  const documentWith = (keys: readonly string[]): ModelDocument => ({
    ...{ $schema: "urn:metaction:model:2", key: "crm", name: "CRM", version: "1.0.0", authority: "system" },
    ...{ types: [], relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
    entities: [...keys, "other"].map(entity),
  });
  const likely = (left: readonly string[], right: readonly string[]) =>
    findLikelyRenames(matchDocuments(documentWith(left), documentWith(right))).map(({ from, to }) => [...from, to]);
  expect(likely(["a"], ["b"])).toEqual([["a", "b"]]);
  expect(likely(["a"], ["b", "c"])).toEqual([]);
  expect(likely(["a", "b"], ["c"])).toEqual([]);
});
