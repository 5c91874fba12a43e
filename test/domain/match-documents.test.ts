import { describe, expect, test } from "vitest";
import type { DocumentObject } from "../../shared/domain/compare/document-members.ts";
import { matchDocuments, matchLists } from "../../shared/domain/compare/match-documents.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";

type Listed = readonly (DocumentObject | string)[];

const objects = (list: Listed): readonly DocumentObject[] =>
  list.map((one) => (typeof one === "string" ? { key: one } : one));

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
    const chain = ["b a", "c b"].map((one) => ({ key: one.charAt(0), renamedFrom: one.charAt(2) }));
    expect(matched(["a", "b"], chain)).toEqual({ ...none, matches: ["b renamedFrom c", "a renamedFrom b"] });
    expect(matched(["b", "c"], chain)).toEqual({ ...none, matches: ["b key b", "c key c"] });
  });

  test("by key last", () =>
    expect(matched(["a", "b"], ["b", "c"])).toEqual({ matches: ["b key b"], left: ["a"], right: ["c"] }));

  test("only if the match is unambiguous", () => {
    const twice = ["a", "b"].map((key) => ({ key, origin: "s#/x" }));
    expect(matched(twice, [{ key: "c", origin: "s#/x" }])).toEqual({ matches: [], left: ["a", "b"], right: ["c"] });
    expect(matched([{ key: "c", origin: "s#/x" }], twice)).toEqual({ matches: [], left: ["c"], right: ["a", "b"] });
    const rivals = ["c", "d"].map((key) => ({ key, renamedFrom: "a" }));
    expect(matched(["a"], rivals)).toEqual({ matches: [], left: ["a"], right: ["c", "d"] });
    const copies = ["b", "c"].map((key) => ({ id: "1", key }));
    expect(matched([{ id: "1", key: "a" }], copies).matches).toEqual([]);
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

const entityOf = (key: string, attributes: readonly string[]) => ({
  ...{ key, primaryKey: [] },
  attributes: attributes.map((one) => ({ key: one, type: "key:string", optional: false })),
});

const documentOf = (entities: ModelDocument["entities"], localTags: ModelDocument["localTags"]): ModelDocument => ({
  ...{ $schema: "urn:metaction:model:2", key: "crm", name: "CRM", version: "1.0.0", authority: "system" },
  ...{ types: [{ key: "string" }], entities, relationships: [], businessKeys: [], localTags, tagGroups: [] },
});

test("two documents share the matched objects of their lists, and of nested lists", () => {
  const left = documentOf([entityOf("old", ["a", "b"])], [{ key: "old" }]);
  const right = documentOf([entityOf("new", ["b", "c"])], [{ key: "new" }]);
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
