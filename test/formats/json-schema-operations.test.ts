import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import { listParts, readContent } from "./reading.ts";

const toContent = (schema: object) => ({ "application/json": { schema } });
const toRef = (path: string) => ({ $ref: `#/components/${path}` });
const TEXT = { type: "string" };

const API = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1.0.0" },
  paths: {
    "/pets/{id}": {
      parameters: [{ in: "path", name: "id", required: true, schema: TEXT }],
      get: {
        operationId: "petGet",
        parameters: [toRef("parameters/limit"), { in: "header", name: "Accept", schema: TEXT }],
        responses: {
          200: {
            headers: { ETag: { schema: TEXT } },
            content: { ...toContent(toRef("schemas/Pet")), "text/html": {} },
          },
          404: { content: toContent(toRef("schemas/Problem")) },
        },
      },
      put: {
        requestBody: { required: true, content: toContent(toRef("schemas/NewPet")) },
        responses: { 204: { description: "Written." }, default: toRef("responses/failure") },
        callbacks: { done: { "{url}": { post: { requestBody: { content: toContent(toRef("schemas/Event")) } } } } },
      },
    },
  },
  components: {
    parameters: { limit: { in: "query", name: "limit", content: toContent({ type: "integer", maximum: 9 }) } },
    responses: { failure: { content: toContent(toRef("schemas/Problem")) } },
    schemas: {
      Pet: {
        properties: {
          id: TEXT,
          kind: { type: "string", enum: ["cat", "dog"] },
          tags: { type: "array", items: TEXT },
          owner: toRef("schemas/Owner"),
          toys: { type: "array", items: { type: "object", properties: { name: TEXT } } },
          by: { oneOf: [toRef("schemas/Owner"), toRef("schemas/Problem")] },
        },
        required: ["id", "owner"],
      },
      NewPet: {
        properties: {
          name: { type: "string", maxLength: 9 },
          kind: { type: "string", enum: ["cat", "dog"] },
          owner: toRef("schemas/Owner"),
        },
        required: ["name"],
      },
      Owner: { properties: { name: TEXT }, required: ["name"] },
      Problem: { properties: { code: TEXT } },
      Event: { properties: { at: TEXT } },
    },
  },
} as const;

const read = async (source: object) => (await readContent(source, { operations: true })).document;

/** Compares the document with one that has another value at a place; undefined removes the member. */
async function compareWith(place: string, value: unknown): Promise<readonly string[]> {
  const after = structuredClone(API);
  const steps = place.split(" ");
  const last = steps.pop() ?? "";
  // Each step leads to an object of the document above.
  const holder = steps.reduce((object, step) => object[step as never], after as object) as Record<string, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  const entries = compareModels(await read(API), await read(after), { sameModel: false, scope: "complete" });
  return entries
    .filter(({ objectType }) => objectType !== "type")
    .map(({ status, entityKey, attributeKey, impact, reasons }) => {
      const [, only = ""] = /, but (clients only \w+ it)$/.exec(reasons.join()) ?? [];
      return `${status} ${entityKey}${attributeKey ? `: ${attributeKey}` : ""} ${impact} ${only}`.trim();
    });
}

test("the operations of an OpenAPI document are read for a comparison only", async () => {
  const { document, warnings } = await readContent(API, { operations: true });
  expect(warnings).toEqual([]);
  expect(listParts(document)).toEqual([
    "Event (at string?) ",
    "GET /pets/{id} (operationId string?, path.id string, query.limit integer?) ",
    "GET /pets/{id} 200 (header.ETag string?, body Pet) ",
    "NewPet (name string, kind string?, owner Owner?) ",
    "Owner (name string) ",
    "PUT /pets/{id} (path.id string, body NewPet) ",
    "PUT /pets/{id} 204 () ",
    "Pet (id string, kind string?, tags string[]?, owner Owner, toys Pet_toys[]?, by Owner|Problem?) ",
    "Pet_toys (name string?) ",
    "Problem (code string?) ",
  ]);
  const uses = document.entities.map(({ key, properties }) => [key, properties?.["openapi:usedIn"]]);
  expect(Object.fromEntries(uses)).toMatchObject({ NewPet: "requests", Pet_toys: "responses", Problem: "responses" });
  expect(uses.filter(([, use]) => use === undefined)).toEqual([
    ["Event", undefined],
    ["Owner", undefined],
  ]);
  const imported = await readContent(API);
  expect(imported.document.entities.map(({ key }) => key)).toEqual([
    "Event",
    "NewPet",
    "Owner",
    "Pet",
    "Pet_toys",
    "Problem",
  ]);
  expect(imported.warnings).toHaveLength(3);
});

const [SENT, RECEIVED] = ["clients only send it", "clients only receive it"];
const RESPONSE = "paths /pets/{id} get responses 200 content application/json schema";

test.each<[place: string, value: unknown, row: string]>([
  ["Pet properties kind", undefined, "DELETED Pet: kind breaking"],
  ["NewPet properties kind", undefined, "DELETED NewPet: kind breaking"],
  ["Pet required", ["owner"], "MODIFIED Pet: id breaking"],
  ["NewPet required", [], `MODIFIED NewPet: name additive ${SENT}`],
  ["Owner required", [], "MODIFIED Owner: name breaking"],
  ["Pet properties born", TEXT, "ADDED Pet: born additive"],
  ["Pet required", ["id", "owner", "kind"], `MODIFIED Pet: kind additive ${RECEIVED}`],
  ["NewPet required", ["name", "owner"], "MODIFIED NewPet: owner breaking"],
  ["Pet properties kind enum", ["cat"], `MODIFIED Pet: kind additive ${RECEIVED}`],
  ["NewPet properties kind enum", ["cat"], "MODIFIED NewPet: kind breaking"],
  ["Pet properties tags items", { type: "integer" }, "MODIFIED Pet: tags breaking"],
  ["Pet properties by oneOf", [toRef("schemas/Problem")], "MODIFIED Pet: by breaking"],
  [RESPONSE, toRef("schemas/Owner"), "MODIFIED GET /pets/{id} 200: body breaking"],
  ["paths /pets/{id} get operationId", "getPet", "MODIFIED GET /pets/{id}: operationId breaking"],
  ["paths /pets/{id} put responses 204", undefined, "DELETED PUT /pets/{id} 204 breaking"],
  ["components parameters limit required", true, "MODIFIED GET /pets/{id}: query.limit breaking"],
])("a change of an API is judged by who sends the value: %s = %j", async (place, value, row) => {
  const isOfSchema = !/^(?:paths|components) /.test(place);
  const rows = await compareWith(isOfSchema ? `components schemas ${place}` : place, value);
  // The use of a schema may change, too, which is documentation.
  expect(rows.filter((one) => !one.endsWith(" cosmetic"))).toEqual([row]);
});

test("a new required member is breaking for the client that sends it", async () => {
  const { properties, required } = API.components.schemas.Pet;
  const schema = { properties: { ...properties, born: TEXT }, required: [...required, "born"] };
  expect(await compareWith("components schemas Pet", schema)).toEqual([`ADDED Pet: born additive ${RECEIVED}`]);
  expect(
    await compareWith("components schemas Owner", { properties: schema.properties, required: schema.required }),
  ).toContain("ADDED Owner: born breaking");
});
