import fc from "fast-check";
import { expect, test } from "vitest";
import { contentOf, type GlobalTags, type ModelContent } from "../../shared/domain/content.ts";
import { copyOf } from "../../shared/domain/copy.ts";
import { objectsFromDocument } from "../../shared/domain/document-content.ts";
import { documentOf, tagIdsByRef } from "../../shared/domain/model-document.ts";
import type { AnyObject } from "../../shared/domain/objects.ts";
import { globalTagsOf, models, withoutIds } from "../exchange/documents.ts";
import { seedOf } from "../support/chance.ts";

const ids = (prefix: string): (() => string) => {
  let count = 0;
  return () => `${prefix}${count++}`;
};

function contentIn(objects: Iterable<AnyObject>): ModelContent {
  const content = contentOf(objects);
  if (!content) throw new Error("no model");
  return content;
}

test("a copy is what an import of the model's document makes, under ids of its own", () => {
  fc.assert(
    fc.property(models, fc.boolean(), (document, isGone) => {
      const known = globalTagsOf(document.tagGroups);
      const source = contentIn(objectsFromDocument(document, ids("original-"), tagIdsByRef(known)));
      // A global tag may be gone while the marks that name it are still left.
      const left: GlobalTags = new Map([...known].slice(isGone ? 1 : 0));
      const copied = [...copyOf(source, left, ids("c"))];
      const imported = objectsFromDocument(documentOf(source, left), ids("i"), tagIdsByRef(left));
      expect(withoutIds(documentOf(contentIn(copied), left))).toEqual(
        withoutIds(documentOf(contentIn(imported), left)),
      );
      const shape = (object: AnyObject) => Object.keys(object).sort();
      expect(copied.map(shape)).toEqual(imported.map(shape));
      expect(copied.map(({ kind, key }) => [kind, key])).toEqual(imported.map(({ kind, key }) => [kind, key]));
      expect(new Set(copied.map(({ id }) => id)).size).toBe(copied.length);
      expect(JSON.stringify(copied)).not.toMatch(/"original-\d+"/);
    }),
    { numRuns: 100, seed: seedOf("copy") },
  );
});

test("what refers to something that is not there is not copied", () => {
  const document = { key: "m", types: [{ key: "t" }] };
  const whole = { $schema: "urn:metaction:model:2", name: "M", version: "0.0.1", authority: "system", ...document };
  const entity = { key: "e", attributes: [{ key: "a", type: "key:t", optional: false }], primaryKey: [] };
  const lists = { entities: [entity], relationships: [], businessKeys: [], localTags: [], tagGroups: [] };
  const objects = objectsFromDocument({ ...whole, ...lists } as never, ids("original-"));
  const content = contentIn(objects.filter(({ kind }) => kind !== "type"));
  expect(() => [...copyOf(content, new Map(), ids("c"))]).toThrow("the model m refers to what is not in it");
});
