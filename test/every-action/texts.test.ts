import { describe, expect, test } from "vitest";
import type { Action } from "../../shared/actions/contract/action.ts";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import { toJsonSchema } from "../../shared/actions/describe/json-schema.ts";
import { expectFaults, useWorld } from "../actions/support/checked-world.ts";
import { ACTIONS } from "../support/actions.ts";

const world = useWorld();

/** NUL, ESC, and of the C1 controls the first, the one that begins a command of a terminal, and the last. */
const CONTROLS = ["\u0000", "\u001b", "\u0080", "\u009b", "\u009f"];

type Holder = { readonly value: unknown; readonly below: string };

const filters = (type: string, condition: string, value: unknown) => ({ items: [{ type, condition, value }] });

/** Values that hold a text, by types that are neither a text nor a list of texts. */
const STRUCTURED: Readonly<Record<string, (text: string) => readonly Holder[]>> = {
  SearchFilters: (text) => [
    { value: filters("text", "contains", text), below: "/items/0/value" },
    { value: filters("tags", "anyOf", [`key:g/${text}`]), below: "/items/0/value/0" },
    { value: filters("constraints", "anyOf", [text]), below: "/items/0/value/0" },
    { value: filters("format", "anyOf", [text]), below: "/items/0/value/0" },
  ],
  TagSearchFilters: (id) => [{ value: filters("scopeRef", "is", { type: "model", id }), below: "/items/0/value/id" }],
  "List<Pair<EntityAttributeRef>>": (text) => [{ value: [["key:a", `key:${text}`]], below: "/0/1" }],
  Constraints: (text) => [
    { value: { pattern: text }, below: "/pattern" },
    { value: { default: [{ a: text }] }, below: "/default/0/a" },
  ],
  UndoSelection: (text) => [
    { value: { members: [text] }, below: "/members/0" },
    { value: { paths: [text] }, below: "/paths/0" },
  ],
  // An entry names an action that there is; its payload is read by that action.
  "List<BatchEntry>": () => [],
  // The content is a source, whose texts are made to fit, with a warning.
  SourceContent: () => [],
  PropertySchema: (text) => [
    { value: { enum: [text] }, below: "/enum/0" },
    { value: { pattern: text }, below: "/pattern" },
  ],
  "List<PropertyHolderKind>": () => [],
  PropertyValue: (text) => [
    { value: text, below: "" },
    { value: { a: [text] }, below: "/a/0" },
  ],
  // The fields are words of a closed list.
  SearchFields: () => [],
  // Its elements are numbers.
  "List<ModelRevision>": () => [],
};

const isClosed = (schema: object) => "enum" in schema || "const" in schema;

function holdersOf(type: Parameters<typeof toJsonSchema>[0] & { id: string; json: string }, text: string) {
  if (type.json === "number" || type.json === "boolean") return [];
  const structured = STRUCTURED[type.id];
  if (structured) return structured(text);
  const schema = toJsonSchema(type) as { type: string; items?: { type: string } };
  expect([schema.type, schema.items?.type], type.id).toContain("string");
  if (isClosed(schema.items ?? schema)) return [];
  return type.json === "array" ? [{ value: [text], below: "/0" }] : [{ value: text, below: "" }];
}

const CASES = ACTIONS.flatMap((action: Action) =>
  Object.entries(getAllParams(action)).map(([name, { type }]) => ({
    path: `${action.group}/${action.name}`,
    name,
    type,
  })),
);

describe("a text parameter refuses NUL, ESC and C1 controls, and names the character", () => {
  test.each(CASES)("$path $name", async ({ path, name, type }) => {
    for (const control of CONTROLS) {
      const named = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
      for (const { value, below } of holdersOf(type, `a${control}b`)) {
        const { code, members } = await world.refused(path, { [name]: value });
        expect(code).toBe("bad_parameters");
        const faults = (members.errors ?? []).filter(({ pointer }) => pointer === `/${name}${below}`);
        expect(faults).toHaveLength(1);
        expect(faults[0]?.detail).toContain(named);
        expect(faults[0]?.detail).not.toContain(control);
      }
    }
  });

  test("parameters without a text are numbers, booleans, closed lists and what other readers check", () => {
    const without = CASES.filter(({ type }) => holdersOf(type, "a").length === 0).map(({ type }) => type);
    const others = without.filter(({ json }) => json !== "number" && json !== "boolean");
    expect(new Set(others.map(({ id }) => id))).toEqual(
      new Set([
        ...["AttributeSort", "AuditOutcome", "CompareScope", "DifferenceFormat", "Expansion", "ExportFormat"],
        ...["List<BatchEntry>", "List<ModelRevision>", "List<PermissionKey>", "List<PropertyHolderKind>"],
        ...["ModelAuthority", "OnConflict", "OnUndoConflict", "PermissionKey", "PropertyImpact", "SearchFields"],
        ...["RelationshipCardinality", "SourceContent", "SourceFormat"],
      ]),
    );
  });

  test("in an entry of a batch too", async () => {
    const entry = { group: "model", action: "model_create", payload: { key: "k", name: "a\u009bb" } };
    expectFaults(await world.refused("batch/batch_run", { actions: [entry] }), "/actions/0/payload/name");
  });

  test("other controls, line ends and tabs are kept", async () => {
    const model = { key: "texts", name: "a\u0007b", description: "a\tb\r\nc\u0007\u007f\u200f\u202e" };
    await world.ok("model/model_create", model);
    expect(await world.read("model/model_get", { modelRef: "key:texts" })).toMatchObject(model);
  });
});
