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

const texts = () => ["First Ünïcode 名 🙂", "Second"] as const;
const keys = () => [newKey("first"), newKey("second")] as const;
const links = () => ["https://example.com/1", "mailto:ada@example.com"] as const;
const BAD_NAMES = ["two\nlines", "two\r", "   ", "x".repeat(201), 7, true, ["a"], {}];
const BAD_TEXTS = [" \n\t ", "x".repeat(100_001), 7, false, [], {}];
const BAD_LINKS = ["example.com", "/x", "javascript:alert(1)", `https://e.com/${"x".repeat(2_048)}`, 7, {}];
const BAD_KEYS = ["", null, "x".repeat(129), "it's", 'q"', "b`", "b\\", "ä", "a\tb", "a\u007f", 7, {}];

/** Every action that sets one field, but for those with a suite of their own. */
export const UPDATE_ROWS: readonly UpdateRow[] = [
  {
    action: "model_update_name",
    of: "model",
    member: "name",
    parameter: "name",
    values: texts,
    malformed: [...BAD_NAMES, "", null],
  },
  {
    action: "model_update_description",
    of: "model",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  { action: "model_update_key", of: "model", member: "key", values: keys, malformed: BAD_KEYS },
  {
    action: "model_update_authority",
    of: "model",
    member: "authority",
    values: () => ["canonical", "system"],
    malformed: ["", null, "Canonical", "none", 1],
  },
  {
    action: "model_update_documentation_link",
    of: "model",
    member: "documentationHome",
    values: links,
    clears: true,
    malformed: BAD_LINKS,
  },
  { action: "type_update_key", of: "type", member: "key", values: keys, malformed: BAD_KEYS },
  { action: "type_update_name", of: "type", member: "name", values: texts, clears: true, malformed: BAD_NAMES },
  {
    action: "type_update_description",
    of: "type",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  { action: "entity_update_key", of: "entity", member: "key", values: keys, malformed: BAD_KEYS },
  { action: "entity_update_name", of: "entity", member: "name", values: texts, clears: true, malformed: BAD_NAMES },
  {
    action: "entity_update_description",
    of: "entity",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  {
    action: "entity_update_documentation_link",
    of: "entity",
    member: "documentationHome",
    values: links,
    clears: true,
    malformed: BAD_LINKS,
  },
  ...attributeRows("entity_attribute"),
  { action: "relationship_update_key", of: "relationship", member: "key", values: keys, malformed: BAD_KEYS },
  {
    action: "relationship_update_name",
    of: "relationship",
    member: "name",
    values: texts,
    clears: true,
    malformed: BAD_NAMES,
  },
  {
    action: "relationship_update_description",
    of: "relationship",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  ...attributeRows("relationship_attribute"),
  { action: "business_key_update_key", of: "business_key", member: "key", values: keys, malformed: BAD_KEYS },
  {
    action: "business_key_update_name",
    of: "business_key",
    member: "name",
    values: texts,
    clears: true,
    malformed: BAD_NAMES,
  },
  {
    action: "business_key_update_description",
    of: "business_key",
    member: "description",
    values: texts,
    clears: true,
    malformed: BAD_TEXTS,
  },
  {
    action: "business_key_update_participants",
    of: "business_key",
    member: "participants",
    values: ({ code }) => [[code.ref], []],
    shown: (value, { code }) => (value as readonly string[]).map(() => code.byId),
    malformed: ["", null, "key:code", 7, {}],
  },
];

/** The rows of one sort of attribute; both take the same. */
function attributeRows(of: "entity_attribute" | "relationship_attribute"): readonly UpdateRow[] {
  return [
    { action: `${of}_update_key`, of, member: "key", values: keys, malformed: BAD_KEYS },
    {
      action: `${of}_update_name`,
      of,
      member: "name",
      values: texts,
      clears: true,
      malformed: BAD_NAMES,
    },
    {
      action: `${of}_update_description`,
      of,
      member: "description",
      values: texts,
      clears: true,
      malformed: BAD_TEXTS,
    },
    {
      action: `${of}_update_type`,
      of,
      member: "type",
      values: ({ integer, unused }) => [integer.ref, unused.byId],
      shown: (value, { integer, unused }) => (value === integer.ref ? integer.byId : unused.byId),
      malformed: ["", null, "integer", "KEY:integer", "id:7", 7],
    },
    {
      action: `${of}_update_optional`,
      of,
      member: "optional",
      values: () => [true, false],
      malformed: ["", null, "true", 1, 0, []],
    },
    {
      action: `${of}_update_constraints`,
      of,
      member: "constraints",
      values: () => [
        { enum: [null, "é", { b: [1e300], a: -0.1 }], unit: "kg" },
        { default: { constructor: "c", "": 5e-324, "a/b~": false } },
      ],
      clears: true,
      malformed: [{}, [], 7, true, "enum"],
    },
  ];
}
