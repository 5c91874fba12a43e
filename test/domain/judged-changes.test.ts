import { describe, expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import type { Impact, ObjectType } from "../../shared/domain/differences.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import type { Fields } from "../../shared/domain/fields/field.ts";
import {
  attributeFields,
  businessKeyFields,
  entityFields,
  modelFields,
  relationshipFields,
  roleFields,
  sourcedFields,
} from "../../shared/domain/fields/model-fields.ts";

const attribute = (key: string, optional: boolean) => ({ id: key, key, type: "key:text", optional });

const BASE = {
  $schema: "urn:metaction:model:2",
  ...{ id: "m", key: "crm", name: "CRM", version: "1.0.0", authority: "system" },
  types: ["text", "date", "unused"].map((key) => ({ id: key, key })),
  entities: ["customer", "order", "unused"].map((key) => ({
    ...{ id: key, key },
    attributes: [attribute(`${key}_a`, true), attribute(`${key}_b`, true), attribute(`${key}_unused`, true)],
    primaryKey: [`key:${key}_a`],
  })),
  relationships: ["places", "unused"].map((key) => ({
    ...{ id: `r ${key}`, key },
    roles: [
      { id: `${key} 1`, key: "buyer", entity: "key:customer", cardinality: "one" },
      { id: `${key} 2`, key: "order", entity: "key:order", cardinality: "many" },
      { id: `${key} 3`, key: "seller", entity: "key:customer", cardinality: "one" },
    ],
    attributes: [attribute(`${key}_since`, true)],
  })),
  businessKeys: [
    { id: "b", key: "by_b", entity: "key:customer", participants: ["key:customer_b"] },
    { id: "b2", key: "empty", entity: "key:customer", participants: [] },
  ],
  localTags: [{ id: "l", key: "pii" }],
  tagGroups: [],
};

type Row = readonly [impact: Impact, reason: string];
const TAGS_ONLY = "documentation only";
const ADDED: Row = ["additive", "added; no consumer uses it yet"];
const DELETED: Row = ["breaking", "removed; consumers that use it will fail"];
const RENAMED: Row = ["breaking", "key: consumers that refer to the old key will fail"];

/** Verdicts on objects that nothing else refers to: the object, then added, deleted and renamed. */
const OBJECTS: readonly (readonly [ObjectType, list: string, added: Row, deleted: Row, renamed: Row])[] = [
  [
    "type",
    "/types/2",
    ADDED,
    ["cosmetic", "removed; changes of attributes that used it are listed separately"],
    RENAMED,
  ],
  ["entity", "/entities/2", ADDED, DELETED, RENAMED],
  ["entityAttribute", "/entities/0/attributes/2", ADDED, DELETED, RENAMED],
  ["relationship", "/relationships/1", ADDED, DELETED, RENAMED],
  ["relationshipAttribute", "/relationships/0/attributes/0", ADDED, DELETED, RENAMED],
  [
    ...(["relationshipRole", "/relationships/0/roles/2"] as const),
    ...([["breaking", "instances of the relationship need an additional role"], DELETED, RENAMED] as const),
  ],
  [
    ...(["businessKey", "/businessKeys/0"] as const),
    ["breaking", "added: duplicates are refused"],
    ["behavioural", "removed: duplicates are possible"],
    RENAMED,
  ],
  [
    ...(["tag", "/localTags/0"] as const),
    ["cosmetic", `added; ${TAGS_ONLY}`],
    ["cosmetic", `removed; ${TAGS_ONLY}`],
    ["cosmetic", `key: ${TAGS_ONLY}`],
  ],
];

type MemberRow = readonly [member: string, before: unknown, after: unknown, impact: Impact, reason: string];

const TEXT_ROWS: readonly MemberRow[] = [
  ["name", "A", "B", "cosmetic", TAGS_ONLY],
  ["description", undefined, "B", "cosmetic", TAGS_ONLY],
  ["properties.a", 1, 2, "cosmetic", TAGS_ONLY],
];
const TAG_ROWS: readonly MemberRow[] = [["tags", [], ["key:pii"], "cosmetic", TAGS_ONLY]];
const ATTRIBUTE_ROWS: readonly MemberRow[] = [
  ...[...TEXT_ROWS, ...TAG_ROWS],
  ["type", "key:text", "key:date", "breaking", "date instead of string: values of another kind"],
  ["type", "key:text", "key:unused", "breaking", "the type of its values changed"],
  ["optional", true, false, "breaking", "writers that omit it will fail"],
  ["optional", false, true, "breaking", "readers may find records without it"],
  ["constraints", undefined, { maxLength: 9 }, "breaking", "maxLength 9 is new: fewer values are allowed"],
  ["constraints", { maxLength: 9 }, undefined, "additive", "maxLength 9 was removed: more values are allowed"],
];
const FEWER_DIFFER = "fewer attributes have to differ: more duplicates are refused";
const MORE_DIFFER = "more attributes may differ: former duplicates are possible";
const EMPTY: readonly string[] = [];
const OTHER_KEY = "the primary key changed";
const OTHER_PARTICIPANTS = "the attributes of the business key changed";

/** Verdicts on one changed member: the place of the object, its fields, and rows for each member. */
const MEMBERS: readonly (readonly [ObjectType, place: string, Fields, readonly MemberRow[]])[] = [
  [
    ...(["model", "", modelFields] as const),
    [
      ...[...TEXT_ROWS, ...TAG_ROWS],
      ["version", "1.0.0", "1.0.1", "cosmetic", TAGS_ONLY],
      ["authority", "system", "canonical", "cosmetic", TAGS_ONLY],
      ["documentationHome", "https://a.example", "https://b.example", "cosmetic", TAGS_ONLY],
    ],
  ],
  ["type", "/types/2", sourcedFields, TEXT_ROWS],
  [
    ...(["entity", "/entities/0", entityFields] as const),
    [
      ...[...TEXT_ROWS, ...TAG_ROWS],
      ["documentationHome", undefined, "https://b.example", "cosmetic", TAGS_ONLY],
      ["primaryKey", EMPTY, ["key:customer_a"], "breaking", "a primary key was added: duplicates are refused"],
      ["primaryKey", ["key:customer_a"], EMPTY, "breaking", OTHER_KEY],
      ["primaryKey", ["key:customer_a"], ["key:customer_b"], "breaking", OTHER_KEY],
      [
        ...(["primaryKey", ["key:customer_a", "key:customer_b"], ["key:customer_b", "key:customer_a"]] as const),
        ...(["operational", "only the order of its attributes changed"] as const),
      ],
    ],
  ],
  ["entityAttribute", "/entities/0/attributes/0", attributeFields, ATTRIBUTE_ROWS],
  ["relationship", "/relationships/0", relationshipFields, [...TEXT_ROWS, ...TAG_ROWS]],
  ["relationshipAttribute", "/relationships/0/attributes/0", attributeFields, ATTRIBUTE_ROWS],
  [
    ...(["relationshipRole", "/relationships/0/roles/0", roleFields] as const),
    [
      ["name", "A", "B", "cosmetic", TAGS_ONLY],
      ["entity", "key:customer", "key:order", "breaking", "the entity changed"],
      ["cardinality", "one", "many", "breaking", "the cardinality changed"],
      ["cardinality", "many", "one", "breaking", "the cardinality changed"],
      ["cardinality", "one", "unknown", "breaking", "the cardinality changed"],
      ["cardinality", "unknown", "one", "additive", "the cardinality was unknown before"],
    ],
  ],
  [
    ...(["businessKey", "/businessKeys/0", businessKeyFields] as const),
    [
      ...TEXT_ROWS,
      ["participants", ["key:customer_b"], ["key:customer_a"], "breaking", OTHER_PARTICIPANTS],
      ["participants", ["key:customer_a", "key:customer_b"], ["key:customer_a"], "breaking", FEWER_DIFFER],
      ["participants", ["key:customer_a"], ["key:customer_b", "key:customer_a"], "behavioural", MORE_DIFFER],
      ["participants", ["key:customer_b"], EMPTY, "behavioural", "removed: duplicates are possible"],
      ["participants", EMPTY, ["key:customer_b"], "breaking", "added: duplicates are refused"],
    ],
  ],
  ["businessKey", "/businessKeys/1", {}, [["entity", "key:customer", "key:order", "breaking", "the entity changed"]]],
  ["tag", "/localTags/0", sourcedFields, TEXT_ROWS],
];

const PARTS = new Set(["children", "nested", "internal"]);
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = { relationship: ["keyPairs"], businessKey: ["entity"] };

type Members = Record<string, unknown>;

function find(document: ModelDocument, place: string): readonly [owner: Members, step: string] {
  const steps = place.split("/").slice(1);
  const last = steps.pop() ?? "";
  return [steps.reduce<unknown>((part, step) => (part as Members)[step], document) as Members, last];
}

function withValue(place: string, value: unknown): ModelDocument {
  const document = structuredClone(BASE) as unknown as ModelDocument;
  const [owner, step] = find(document, place);
  if (Array.isArray(owner)) owner.splice(Number(step), 1, ...(value === undefined ? [] : [value]));
  else if (value === undefined) delete owner[step];
  else owner[step] = value;
  return document;
}

function judge(left: ModelDocument, right: ModelDocument, objectType: ObjectType) {
  return compareModels(left, right, { sameModel: true, scope: "complete" })
    .filter((one) => one.objectType === objectType)
    .map(({ status, members = [], impact, reasons }) => ({ status, members, impact, reasons }));
}

test.each(
  OBJECTS,
)("a %s that is added, deleted or renamed has this impact", (objectType, place, added, deleted, renamed) => {
  const base = withValue("/key", "crm");
  const without = withValue(place, undefined);
  const toVerdict = (status: string, [impact, reason]: Row, members: readonly string[] = []) => [
    { status, members, impact, reasons: [reason] },
  ];
  expect(judge(without, base, objectType)).toEqual(toVerdict("ADDED", added));
  expect(judge(base, without, objectType)).toEqual(toVerdict("DELETED", deleted));
  const [list, i] = find(base, place);
  const other = withValue(place, { ...(list[i] as object), key: "another" });
  expect(judge(base, other, objectType)).toEqual(toVerdict("RENAMED", renamed, ["key"]));
});

test("a required attribute is breaking if it is added to an object that exists, and additive with a new owner", () => {
  for (const [type, list] of [
    ["entityAttribute", "/entities/0/attributes/3"],
    ["relationshipAttribute", "/relationships/0/attributes/1"],
  ] as const) {
    const required = withValue(list, attribute("new", false));
    const reasons = ["added and required: writers that do not set it will fail"];
    expect(judge(withValue("/key", "crm"), required, type)).toMatchObject([{ impact: "breaking", reasons }]);
  }
  const entity = { id: "e", key: "new", attributes: [attribute("new", false)], primaryKey: [] };
  const found = judge(withValue("/key", "crm"), withValue("/entities/3", entity), "entityAttribute");
  expect(found).toMatchObject([{ impact: "additive", reasons: ["added together with its owner"] }]);
});

describe.each(MEMBERS)("of a %s", (objectType, place, fields, rows) => {
  test.each(rows)("%s from %j to %j has this impact", (member, before, after, impact, reason) => {
    const [name = "", inner] = member.split(".");
    const toDocument = (value: unknown) =>
      withValue(`${place}/${name}`, inner === undefined ? value : { [inner]: value });
    expect(judge(toDocument(before), toDocument(after), objectType)).toEqual([
      { status: "MODIFIED", members: [member], impact, reasons: [`${member}: ${reason}`] },
    ]);
  });

  test("each member has a verdict in these rows", () => {
    const members = Object.entries(fields).filter(([, field]) => !PARTS.has(field.is) && !("provenance" in field));
    const judged = new Set([...rows.map(([member]) => member.split(".")[0]), ...(ELSEWHERE[objectType] ?? [])]);
    expect(members.map(([member]) => member).filter((member) => !judged.has(member))).toEqual([]);
  });
});
