import fc from "fast-check";
import { expect, test } from "vitest";
import { copyModel } from "../../shared/domain/document/copy-model.ts";
import { readObjects } from "../../shared/domain/document/read-document.ts";
import { indexTagIdsByRef, toDocument } from "../../shared/domain/document/write-document.ts";
import { type GlobalTags, type ModelContent, toModelContent } from "../../shared/domain/model/content.ts";
import type { AnyObject } from "../../shared/domain/model/objects.ts";
import { globalTagsOf, models, withoutIds } from "../formats/documents.ts";
import { seedOf } from "../support/chance.ts";

const ids = (prefix: string): (() => string) => {
  let count = 0;
  return () => `${prefix}${count++}`;
};

function contentIn(objects: Iterable<AnyObject>): ModelContent {
  const content = toModelContent(objects);
  if (!content) throw new Error("no model");
  return content;
}

test("a copy equals an import of the model's document, with new ids", () => {
  fc.assert(
    fc.property(models, fc.boolean(), (document, isGone) => {
      const known = globalTagsOf(document.tagGroups);
      const source = contentIn(readObjects(document, ids("original-"), indexTagIdsByRef(known)));
      // A global tag may be gone while the marks that name it are still left.
      const left: GlobalTags = new Map([...known].slice(isGone ? 1 : 0));
      const copied = [...copyModel(source, left, ids("c"))];
      const imported = readObjects(toDocument(source, left), ids("i"), indexTagIdsByRef(left));
      expect(withoutIds(toDocument(contentIn(copied), left))).toEqual(
        withoutIds(toDocument(contentIn(imported), left)),
      );
      const shape = (object: AnyObject) => Object.keys(object).sort();
      expect(copied.map(shape)).toEqual(imported.map(shape));
      expect(copied.map(({ kind, key }) => [kind, key])).toEqual(imported.map(({ kind, key }) => [kind, key]));
      expect(new Set(copied.map(({ id }) => id)).size).toBe(copied.length);
      const tags = copied.flatMap((object) => ("tags" in object && object.tags ? [object.tags] : []));
      expect(tags).toEqual(tags.map((ids) => ids.toSorted()));
      expect(JSON.stringify(copied)).not.toMatch(/"original-\d+"/);
    }),
    { numRuns: 100, seed: seedOf("copy") },
  );
});

test("links to a deleted local tag are not copied", () => {
  const lists = { types: [], entities: [], relationships: [], businessKeys: [], tagGroups: [] };
  const marked = { key: "m", name: "M", version: "0.0.1", authority: "system", localTags: [{ key: "x" }] };
  const document = { $schema: "urn:metaction:model:2", ...marked, tags: ["key:x"], ...lists };
  const objects = [...readObjects(document as never, ids("original-"))];
  expect(objects[0]).toHaveProperty("tags");
  const content = contentIn(objects.filter(({ kind }) => kind !== "tag"));
  expect([...copyModel(content, new Map(), ids("c"))]).toEqual([
    expect.not.objectContaining({ tags: expect.anything() }),
  ]);
});

test("dangling refs are not copied", () => {
  const document = { key: "m", types: [{ key: "t" }] };
  const whole = { $schema: "urn:metaction:model:2", name: "M", version: "0.0.1", authority: "system", ...document };
  const entity = { key: "e", attributes: [{ key: "a", type: "key:t", optional: false }], primaryKey: [] };
  const lists = { entities: [entity], relationships: [], businessKeys: [], localTags: [], tagGroups: [] };
  const objects = readObjects({ ...whole, ...lists } as never, ids("original-"));
  const content = contentIn(objects.filter(({ kind }) => kind !== "type"));
  expect(() => [...copyModel(content, new Map(), ids("c"))]).toThrow("model m refers to a missing object");
});
