import { newKey } from "./checked-world.ts";
import type { Example } from "./models.ts";
import type { UpdateSubject } from "./update-subjects.ts";

/** One action that sets one field of an object to a value. */
export interface UpdateRow {
  readonly action: string;
  /** The kind of object the action addresses; it decides the refs and the action that reads the object back. */
  readonly of: UpdateSubject;
  /** The member of the read that shows the field. */
  readonly member: string;
  /** The parameter; `value` unless told otherwise. */
  readonly parameter?: string;
  /** Two values that differ from each other and from what is there. */
  readonly values: (example: Example) => readonly [unknown, unknown];
  /** The form in which a read shows a value; the value as it was given unless told otherwise. */
  readonly shown?: (value: unknown, example: Example) => unknown;
  readonly clears?: boolean;
  /** Values that the action must refuse as malformed. */
  readonly malformed: readonly unknown[];
}

const BAD_NAMES = ["two\nlines", "two\r", "   ", "x".repeat(201), 7, true, ["a"], {}];
const BAD_TEXTS = [" \n\t ", "x".repeat(100_001), 7, false, [], {}];
const BAD_LINKS = [
  ...["example.com", "/x", "javascript:alert(1)", "data:text/plain,x", "http://", "https://exa mple.com"],
  ...[`https://e.com/${"x".repeat(2_048)}`, 7, {}],
];
const BAD_KEYS = ["", null, "x".repeat(129), "it's", 'q"', "b`", "b\\", "ä", "a\tb", "a\u007f", 7, {}];
const BAD_TAG_KEYS = [...BAD_KEYS, "a/b", "a b", "a.b", "a#b"];

const row = (of: UpdateSubject, member: string, more: Omit<UpdateRow, "action" | "of" | "member">): UpdateRow => ({
  ...{ action: `${of}_update_${member}`, of, member },
  ...more,
});

const key = (of: UpdateSubject, malformed: readonly unknown[] = BAD_KEYS): UpdateRow =>
  row(of, "key", { values: () => [newKey("first"), newKey("second")], malformed });

const texts = () => ["First Ünïcode 名 🙂", "Second"] as const;
const name = (of: UpdateSubject): UpdateRow => row(of, "name", { values: texts, clears: true, malformed: BAD_NAMES });
const requiredName = (of: UpdateSubject): UpdateRow =>
  row(of, "name", { values: texts, malformed: [...BAD_NAMES, "", null] });
const description = (of: UpdateSubject): UpdateRow =>
  row(of, "description", { values: texts, clears: true, malformed: BAD_TEXTS });

const documentationLink = (of: UpdateSubject): UpdateRow => ({
  ...{ action: `${of}_update_documentation_link`, of, member: "documentationHome" },
  values: () => ["https://example.com/1", "mailto:ada@example.com"],
  clears: true,
  malformed: BAD_LINKS,
});

const attributes = (action: string, of: UpdateSubject, member: string, parameter = "value"): UpdateRow => ({
  ...{ action, of, member, parameter },
  values: ({ code }) => [[code.ref], []],
  shown: (value, { code }) => (value as readonly string[]).map(() => code.byId),
  malformed: ["", null, "key:code", 7, {}],
});

const attributeRows = (of: "entity_attribute" | "relationship_attribute"): readonly UpdateRow[] => [
  ...[key(of), name(of), description(of)],
  row(of, "type", {
    values: ({ integer, unused }) => [integer.ref, unused.byId],
    shown: (value, { integer, unused }) => (value === integer.ref ? integer.byId : unused.byId),
    malformed: ["", null, "integer", "KEY:integer", "id:7", 7],
  }),
  row(of, "optional", { values: () => [true, false], malformed: ["", null, "true", 1, 0, []] }),
  row(of, "constraints", {
    values: () => [
      { enum: [null, "é", { b: [1e300], a: -0.1 }], unit: "kg" },
      { default: { constructor: "c", "": 5e-324, "a/b~": false } },
    ],
    clears: true,
    malformed: [{}, [], 7, true, "enum"],
  }),
];

/** Every action that sets one field, but for those with a suite of their own. */
export const UPDATE_ROWS: readonly UpdateRow[] = [
  ...[key("model"), { ...requiredName("model"), parameter: "name" }, description("model"), documentationLink("model")],
  row("model", "authority", { values: () => ["canonical", "system"], malformed: ["", null, "Canonical", "none", 1] }),
  ...[key("type"), name("type"), description("type")],
  ...[key("entity"), name("entity"), description("entity"), documentationLink("entity")],
  attributes("entity_primary_key_update", "entity", "primaryKey", "attributeRef"),
  ...attributeRows("entity_attribute"),
  ...[key("relationship"), name("relationship"), description("relationship")],
  ...[key("relationship_role"), name("relationship_role")],
  row("relationship_role", "entity", {
    values: ({ order, customer }) => [order.ref, customer.byId],
    shown: (value, { order, customer }) => (value === order.ref ? order.byId : customer.byId),
    malformed: ["", null, "order", "id:7", 7],
  }),
  row("relationship_role", "cardinality", {
    values: () => ["unknown", "zeroOrOne"],
    malformed: ["", null, "Many", "zeroOrMany", 1],
  }),
  ...attributeRows("relationship_attribute"),
  ...[key("business_key"), name("business_key"), description("business_key")],
  attributes("business_key_update_participants", "business_key", "participants"),
  ...[key("tag_local", BAD_TAG_KEYS), name("tag_local"), description("tag_local")],
  ...[key("tag_global", BAD_TAG_KEYS), requiredName("tag_global"), description("tag_global")],
  ...[key("tag_group", BAD_TAG_KEYS), name("tag_group"), description("tag_group")],
  ...[key("definition"), name("definition"), description("definition")],
  row("definition", "kinds", {
    values: () => [["entity"], ["model", "type"]],
    clears: true,
    malformed: [[], "model", 7],
  }),
  row("definition", "schema", {
    values: () => [{ type: "integer", minimum: 0 }, { type: "number" }],
    clears: true,
    malformed: [[], "string", 7],
  }),
  row("definition", "impact", { values: () => ["breaking", "cosmetic"], malformed: ["", null, "additive", 1] }),
];
