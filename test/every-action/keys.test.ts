import { describe, expect, test } from "vitest";
import { expectFaults, newKey, useWorld } from "../actions/support/checked-world.ts";
import { aModel, anAttribute, anEntity, aType } from "../actions/support/models.ts";

const world = useWorld();

/** The places at which callers choose a key, with the beginning of the actions that make and read an object. */
const PLACES = [
  { kind: "model", of: "model", parameter: "key", ref: "modelRef" },
  { kind: "type", of: "type", parameter: "typeKey", ref: "typeRef" },
  { kind: "entity", of: "entity", parameter: "entityKey", ref: "entityRef" },
  { kind: "attribute", of: "entity_attribute", parameter: "attributeKey", ref: "attributeRef" },
  { kind: "business key", of: "business_key", parameter: "key", ref: "businessKeyRef" },
  { kind: "copy", of: "model", parameter: "modelNewKey", ref: "modelRef" },
] as const;

const LEGAL = [
  ...[..."a #%/:?0", "!#$%&()*+,-./:;<=>?@[]^_{|}~", "x".repeat(128), " ".repeat(128)],
  ...["a#b#c", "%2F%00", "../..", "id:x", "key:x", "::", "a+b", " both ends ", "-1", "model", "type#string"],
  // Names that JavaScript knows.
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "true"],
];

const ILLEGAL = ["x".repeat(129), "it's", '"', "`", "\\", "\t", "\n", "a\u0000b", "\u007f", "é", "🙂", "\u00a0"];

async function makeScene() {
  const model = await aModel(world);
  return { model, entity: await anEntity(world, model, "the entity"), type: await aType(world, model, "the type") };
}

let made: ReturnType<typeof makeScene> | undefined;
const scene = () => (made ??= makeScene());

async function payloadFor({ kind, parameter }: (typeof PLACES)[number], key: string): Promise<Record<string, unknown>> {
  const { model, entity, type } = await scene();
  const own = { [parameter]: key };
  if (kind === "model") return { ...own, name: "M" };
  if (kind === "attribute")
    return { modelRef: model.ref, entityRef: entity.ref, type: type.ref, optional: false, ...own };
  if (kind === "business key") return { modelRef: model.ref, ...own, entityRef: entity.ref, participants: [] };
  return { modelRef: model.ref, ...own };
}

describe.each(PLACES)("the key of a $kind", (place) => {
  const make = place.kind === "copy" ? "model/model_copy" : `model/${place.of}_create`;

  test.each(LEGAL)("may be %j, and refers to the object", async (key) => {
    // A model's key is unique in the instance, and a copy is a model.
    const free = place.kind === "copy" ? `copy ${key}`.slice(0, key.length < 123 ? undefined : 128) : key;
    const payload = await payloadFor(place, free);
    const { modelRef, entityRef } = payload;
    const { body } = await world.ok(make, payload);
    expect(body.key).toBe(free);
    const found = await world.read(`model/${place.of}_get`, {
      ...(modelRef !== undefined && { modelRef }),
      ...(place.kind === "attribute" && { entityRef }),
      [place.ref]: `key:${free}`,
    });
    expect(found).toMatchObject({ id: body.id, key: free });
  });

  test(`may not be any of ${JSON.stringify(ILLEGAL)}`, async () => {
    await world.writesNothing(async () => {
      for (const key of ILLEGAL)
        expectFaults(await world.refused(make, await payloadFor(place, key)), `/${place.parameter}`);
    });
  });
});

test("all these keys exist together in one model, in the order of their characters", async () => {
  const model = await aModel(world);
  for (const key of LEGAL) await aType(world, model, key);
  const { items } = await world.read("model/type_list", { modelRef: model.ref });
  expect(items.map((t: { key: string }) => t.key)).toEqual([...LEGAL].sort((a, b) => (a < b ? -1 : 1)));
});

describe("text", () => {
  const ASTRAL = "🙂";
  const PARAMETERS = { name: "name", description: "value" };

  test.each([
    ["name", "200 characters", "n".repeat(200)],
    ["name", "200 characters outside the basic plane", ASTRAL.repeat(200)],
    ["name", "white space at both ends", "  name  "],
    ["name", "combining and right-to-left characters", "e\u0301 \u05d0\u05d1 \u200f\u202e"],
    ["name", "quotes, backslashes and markup", "\"'`\\ <script>alert(1)</script> & {{x}}"],
    ["name", "a tab", "a\tb"],
    ["name", "a word that JavaScript knows", "__proto__"],
    ["description", "100,000 bytes", "d".repeat(100_000)],
    ["description", "100,000 bytes in characters of four", ASTRAL.repeat(25_000)],
    ["description", "line breaks and white space around", "\n\n# A\r\n\r\n* b\n\u2028 "],
  ] as const)("of a %s may contain %s, and is stored as sent", async (member, _, text) => {
    const { ref: modelRef, id, key } = await aModel(world);
    await world.ok(`model/model_update_${member}`, { modelRef, [PARAMETERS[member]]: text });
    for (const read of ["model/model_get", "model/model_export"])
      expect(await world.read(read, { modelRef })).toMatchObject({ id, key, [member]: text });
  });

  test.each([
    ["name", "201 characters", "n".repeat(201)],
    ["name", "a line feed", "a\nb"],
    ["name", "a carriage return", "a\rb"],
    ["name", "a line separator", "a\u2028b"],
    ["name", "a paragraph separator", "a\u2029b"],
    ["name", "white space only", " \t "],
    ["description", "100,001 bytes", "d".repeat(100_001)],
    ["description", "100,001 bytes in 25,001 characters", `${ASTRAL.repeat(25_000)}d`],
    ["description", "white space only", "\n\n \t"],
  ] as const)("of a %s may not contain %s", async (member, _, text) => {
    const payload = { modelRef: (await scene()).model.ref, [PARAMETERS[member]]: text };
    expectFaults(await world.refused(`model/model_update_${member}`, payload), `/${PARAMETERS[member]}`);
  });
});

describe("a documentation link", () => {
  test("is trimmed", async () => {
    const { ref } = await aModel(world);
    await world.ok("model/model_update_documentation_link", { modelRef: ref, value: "  https://example.com/x \n" });
    expect((await world.read("model/model_get", { modelRef: ref })).documentationHome).toBe("https://example.com/x");
  });

  test.each([
    ...["https://ada:hunter2@example.com/x", "https://ada@example.com/x", "ftp://:hunter2@example.com/x"],
    " https://ada%40b:hunter2@example.com/x ",
  ])("must not contain a user name or a password: %s", async (value) => {
    const { ref: modelRef } = await aModel(world);
    const refused = () => world.refused("model/model_update_documentation_link", { modelRef, value });
    const problem = await world.writesNothing(refused);
    expectFaults(problem, "/value");
    expect(JSON.stringify([problem.message, problem.members])).not.toContain("hunter2");
    await world.ok("model/model_update_documentation_link", { modelRef, value: "https://example.com/@ada:x?to=a:b@c" });
    const key = newKey("imported");
    for (const member of ["documentationHome", "origin"]) {
      const content = { ...(await world.read("model/model_export", { modelRef })), [member]: value.trim() };
      const fault = await world.refused("model/import", { modelKey: key, content });
      expect([fault.code, fault.members.errors?.[0]?.pointer]).toEqual(["invalid_content", `/${member}`]);
      expect(JSON.stringify([fault.message, fault.members])).not.toContain("hunter2");
    }
  });

  test("is cleared by white space, like by an empty text", async () => {
    const { ref } = await aModel(world);
    await world.ok("model/model_update_documentation_link", { modelRef: ref, value: "https://example.com/x" });
    await world.ok("model/model_update_documentation_link", { modelRef: ref, value: "   " });
    expect(await world.read("model/model_get", { modelRef: ref })).not.toHaveProperty("documentationHome");
  });
});

test("objects of all kinds may have the same key", async () => {
  const model = await aModel(world);
  const type = await aType(world, model, model.key);
  const entity = await anEntity(world, model, model.key);
  const attribute = await anAttribute(world, { model, entity, type }, model.key);
  const refs = { modelRef: model.ref, entityRef: model.ref, attributeRef: model.ref };
  expect(await world.read("model/entity_attribute_get", refs)).toMatchObject({ id: attribute.id, type: type.byId });
});
