import { expect, test } from "vitest";
import { DIAGRAM_COLOURS, findTagColourIndex } from "../../../shared/diagram/diagram-colours.ts";
import type { ExportFormat } from "../../../shared/domain/values/export-formats.ts";
import { createExporter } from "../../../shared/formats/exporter.ts";
import { pointers, readContent } from "../reading.ts";

type Attributes = Readonly<Record<string, readonly [type: string, members?: object]>>;

function createModel(key: string, attributes: Attributes, more = {}) {
  const list = Object.entries(attributes).map(([one, [type, rest]]) => ({ key: one, type: `key:${type}`, ...rest }));
  const types = [...new Set(Object.values(attributes).map(([type]) => type))].map((one) => ({ key: one }));
  return { ...OWN, types, entities: [{ key, attributes: list, ...more }] };
}

const OWN = { $schema: "urn:metaction:model:2", key: "m" };
const ENTITIES = [{ key: "a" }, { key: "b" }];
const ROLES = ENTITIES.map(({ key }, i) => ({ key, entity: `key:${key}`, cardinality: i === 0 ? "one" : "zeroOrOne" }));
const PAIR = { ...OWN, entities: ENTITIES, relationships: [{ key: "r", roles: ROLES }] };
const SELF = ROLES.map((one) => ({ ...one, entity: "key:a" }));
const NAMES = createModel("a b", { "x y": ["string"], "x-y": ["string"] });
const NAMELESS = { name: " ", data: [], schema: { fields: [{ name: "a", type: "any" }] } };
const UNIQUE = { key: "k", entity: "key:a", participants: ["key:b"], description: "x" };
const ITEMS = {
  logicalType: "object",
  properties: [{ name: "m", logicalType: "array", items: { logicalType: "date" } }],
};
const toItems = (items: unknown) => ({ properties: { "odcs:items": items } });
const toRow = (key: string, count: string, i: number) =>
  `<tr><td><code>${key}</code></td><td><a href="#entity-${i}">${key}</a></td><td>${count} one</td></tr>`;

test.each<[ExportFormat, model: object, texts: readonly string[], warned?: string]>([
  [
    "markdown",
    PAIR,
    ["### a ### b ## Relationships ### r | Role |", "| `a` | | `a` | exactly one | | `b` | | `b` | at most one | END"],
  ],
  [
    "html",
    { ...PAIR, documentationHome: "https://x.y/?a&b" },
    [
      '<a href="https://x.y/?a&amp;b" rel="noopener noreferrer">https://x.y/?a&amp;b</a>',
      '<h3><code>a</code></h3><p class="meta"><a href="#relationship-0">r</a>',
      `<tbody>${toRow("a", "exactly", 0)}${toRow("b", "at most", 1)}</tbody></table></div></section> </main>`,
    ],
  ],
  [
    "svg",
    { ...OWN, localTags: [{ key: "d" }], entities: [{ key: "a", tags: ["key:d"] }] },
    [`fill="${DIAGRAM_COLOURS.light.tags[findTagColourIndex("d")]?.fill}"/><text`],
    "/entities/0/tags /localTags/0",
  ],
  ["frictionless", { ...createModel("a", { b: ["any"] }), businessKeys: [UNIQUE] }, ['[ [ "b" ] ]'], "/businessKeys/0"],
  ["graphviz", { name: "p", resources: [NAMELESS] }, ["<B>&#160;</B>"], "/properties/frictionless:descriptor"],
  [
    "avro",
    { ...NAMES, entities: [...NAMES.entities, { key: "a-b" }] },
    ['"name": "x_y_2"', '"name": "a_b_2"'],
    "/entities/0/key /entities/1/key /entities/0/attributes/0/key /entities/0/attributes/1/key /key",
  ],
  [
    "jsonschema",
    {
      ...{ ...OWN, properties: { "jsonschema:$comment": "c", "jsonschema:title": 5 }, entities: ENTITIES },
      relationships: ["a_x", "x"].map((key) => ({ key, roles: ROLES })),
    },
    ['"$comment": "c"', '"x": { "$ref": "#/$defs/b" }, "x_": { "$ref": "#/$defs/b" } } }'],
    "/relationships/0/roles/0/cardinality /relationships/1/roles/0/cardinality /relationships/1/key " +
      "/entities/1/attributes /properties/jsonschema:title",
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
    `/entities/0/key /entities/0/primaryKey ${[0, 1, 2, 3].map((i) => `/entities/0/attributes/${i}/constraints/default`).join(" ")}`,
  ],
  [
    "dbml",
    {
      ...createModel("a", { x: ["e", { constraints: { enum: ["v"] } }] }),
      relationships: [{ key: "r", roles: SELF, keyPairs: [["key:x", "key:x"]] }],
    },
    ['Project m { } Enum e { "v" } Table a { x e [not null] } END'],
    `${["0/cardinality", "1/cardinality", "1/key"].map((one) => `/relationships/0/roles/${one}`).join(" ")} /relationships/0`,
  ],
  [
    "odcs",
    createModel("a", {
      b: ["string", { constraints: { minLength: 1, multipleOf: 2 } }],
      c: ["array", toItems(ITEMS)],
      d: ["array", toItems({ ...ITEMS, properties: [{ name: "m", x: 1 }] })],
      e: ["array", toItems({ logicalType: "array", items: 5 })],
      f: ["integer", { constraints: { format: "i8" } }],
    }),
    [
      "logicalTypeOptions: minLength: 1 customProperties: - property: multipleOf value: 2 - name: c",
      "items: logicalType: object properties: - name: m logicalType: array items: logicalType: date - name: d",
      "required: true logicalTypeOptions: format: i8 END",
    ],
    `/entities/0/attributes/0/constraints/multipleOf ${[2, 3].map((i) => `/entities/0/attributes/${i}/properties/odcs:items`).join(" ")}`,
  ],
])("a small model as %s: %#", async (format, model, texts, warned = "") => {
  const { document } = await readContent(model);
  const { content, warnings } = await createExporter().write(document, format);
  for (const text of texts) expect(`${content}END`.replace(/\s+/g, " ")).toContain(text);
  expect(pointers(warnings).join(" ")).toBe(warned);
});
