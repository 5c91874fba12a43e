import { expect, test } from "vitest";
import { DIAGRAM_COLOURS, findTagColourIndex } from "../../../shared/diagram/diagram-colours.ts";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
import { pointers, readContent } from "../reading.ts";

const OWN = { $schema: "urn:metaction:model:2", key: "m" };
const PAIR = [{ key: "a" }, { key: "b" }];
const ROLES = PAIR.map(({ key }, i) => ({ key, entity: `key:${key}`, cardinality: i === 0 ? "one" : "zeroOrOne" }));
const ROWS = '<tr><td><code>a</code></td><td><a href="#entity-0">a</a></td><td>exactly one</td></tr>';

/** Returns a model of one entity with an attribute of each type; the first one is in the primary key if asked for. */
function createModel(
  key: string,
  attributes: Readonly<Record<string, readonly [type: string, members?: object]>>,
  more = {},
) {
  const list = Object.entries(attributes).map(([one, [type, members]]) => ({
    key: one,
    type: `key:${type}`,
    ...members,
  }));
  const types = [...new Set(Object.values(attributes).map(([type]) => type))].map((one) => ({ key: one }));
  return { ...OWN, types, entities: [{ key, attributes: list, ...more }] };
}

const NAMES = createModel("a b", { "x y": ["string"], "x-y": ["string"] });
const ITEMS = {
  logicalType: "object",
  properties: [{ name: "m", logicalType: "array", items: { logicalType: "date" } }],
};
const toItems = (items: unknown) => ({ properties: { "odcs:items": items } });

test.each<[ExportFormat, model: object, texts: readonly string[], warned?: readonly string[]]>([
  [
    "markdown",
    { ...OWN, entities: PAIR, relationships: [{ key: "r", roles: ROLES }] },
    ["### a ### b ## Relationships ### r | Role |", "| `a` | | `a` | exactly one | | `b` | | `b` | at most one | END"],
  ],
  [
    "html",
    { ...OWN, documentationHome: "https://x.y/?a&b", entities: PAIR, relationships: [{ key: "r", roles: ROLES }] },
    [
      '<a href="https://x.y/?a&amp;b" rel="noopener noreferrer">https://x.y/?a&amp;b</a>',
      `<tbody>${ROWS}`,
      "</table></div></section> </main>",
    ],
  ],
  [
    "svg",
    { ...OWN, localTags: [{ key: "d" }], entities: [{ key: "a", tags: ["key:d"] }] },
    [`fill="${DIAGRAM_COLOURS.light.tags[findTagColourIndex("d")]?.fill}"/><text`],
    ["/entities/0/tags", "/localTags/0"],
  ],
  [
    "frictionless",
    {
      ...createModel("a", { b: ["any"] }),
      businessKeys: [{ key: "k", entity: "key:a", participants: ["key:b"], description: "x" }],
    },
    ['"uniqueKeys": [ [ "b" ] ]'],
    ["/businessKeys/0"],
  ],
  [
    "graphviz",
    { name: "p", resources: [{ name: " ", data: [], schema: { fields: [{ name: "a", type: "any" }] } }] },
    ["<B>&#160;</B>"],
    ["/properties/frictionless:descriptor"],
  ],
  [
    "avro",
    { ...NAMES, entities: [...NAMES.entities, { key: "a-b" }] },
    ['"name": "x_y_2"', '"name": "a_b_2"'],
    ["/entities/0/key", "/entities/1/key", "/entities/0/attributes/0/key", "/entities/0/attributes/1/key", "/key"],
  ],
  [
    "jsonschema",
    {
      ...{ ...OWN, properties: { "jsonschema:$comment": "c", "jsonschema:title": 5 }, entities: PAIR },
      relationships: ["a_x", "x"].map((key) => ({ key, roles: ROLES })),
    },
    ['"$comment": "c"', '"x": { "$ref": "#/$defs/b" }, "x_": { "$ref": "#/$defs/b" } } }'],
    [
      ...["/relationships/0/roles/0/cardinality", "/relationships/1/roles/0/cardinality", "/relationships/1/key"],
      ...["/entities/1/attributes", "/properties/jsonschema:title"],
    ],
  ],
  [
    "postgresql",
    createModel(
      "a".repeat(64),
      {
        b: ["integer", { constraints: { exclusiveMaximum: 5, default: 5 } }],
        c: ["text", { constraints: { minLength: 3, default: "ab" } }],
        d: ["numeric", { constraints: { default: 1_000 }, properties: { "sql:precision": 3 } }],
        e: ["smallint", { constraints: { default: 2 ** 15 } }],
        f: ["smallint", { constraints: { default: 2 ** 15 - 1 } }],
        g: ["json"],
      },
      { primaryKey: ["key:g"] },
    ),
    ['"d" numeric(3) NOT NULL, "e" smallint NOT NULL, "f" smallint NOT NULL DEFAULT 32767, "g" json NOT NULL );'],
    [
      "/entities/0/key",
      ...[0, 1, 2, 3].map((i) => `/entities/0/attributes/${i}/constraints/default`),
      "/entities/0/primaryKey",
    ],
  ],
  [
    "dbml",
    {
      ...createModel("a", { x: ["e", { constraints: { enum: ["v"] } }] }),
      relationships: [
        { key: "r", roles: ROLES.map((one) => ({ ...one, entity: "key:a" })), keyPairs: [["key:x", "key:x"]] },
      ],
    },
    ['Project m { } Enum e { "v" } Table a { x e [not null] } END'],
    [
      ...["roles/0/cardinality", "roles/1/cardinality", "roles/1/key"].map((one) => `/relationships/0/${one}`),
      "/relationships/0",
    ],
  ],
  [
    "odcs",
    createModel("a", {
      b: ["string", { constraints: { minLength: 1, multipleOf: 2 } }],
      c: ["array", toItems(ITEMS)],
      d: ["array", toItems({ ...ITEMS, properties: [{ name: "m", x: 1 }] })],
      e: ["array", toItems({ logicalType: "array", items: 5 })],
    }),
    [
      "logicalTypeOptions: minLength: 1 customProperties: - property: multipleOf value: 2 - name: c",
      "items: logicalType: object properties: - name: m logicalType: array items: logicalType: date - name: d",
    ],
    [
      "/entities/0/attributes/0/constraints/multipleOf",
      ...[2, 3].map((i) => `/entities/0/attributes/${i}/properties/odcs:items`),
    ],
  ],
])("a small model as %s: %#", async (format, model, texts, warned = []) => {
  const { document } = await readContent(model);
  const { content, warnings } = await createExporter().write(document, format);
  for (const text of texts) expect(`${content}END`.replace(/\s+/g, " ")).toContain(text);
  expect(pointers(warnings)).toEqual(warned);
});
