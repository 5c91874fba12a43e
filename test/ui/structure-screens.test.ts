import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { DESKTOP, PHONE, useApplication } from "./support/application.ts";
import { makeLibrary } from "./support/library.ts";
import { LONG } from "./support/patience.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();
const { act } = application;
let modelRef = "";

beforeAll(async () => {
  modelRef = await makeLibrary(application, "screens");
  const attribute = { modelRef, entityRef: "key:book", attributeRef: "key:isbn" };
  await act("model/entity_attribute_update_constraints", {
    ...attribute,
    value: { pattern: "^[0-9]{13}$", enum: ["a", "b"], minLength: 13, unique: true },
  });
  await act("model/entity_primary_key_update", { ...attribute, attributeRef: ["key:isbn"] });
  await act("model/business_key_create", {
    modelRef,
    key: "title",
    entityRef: "key:book",
    participants: ["key:title"],
  });
  await act("model/entity_update_property", {
    modelRef,
    entityRef: "key:book",
    property: "acme:owner",
    value: { team: "Acquisitions" },
  });
  await act("model/entity_update_description", {
    modelRef,
    entityRef: "key:book",
    value: "A **title** that the library holds.",
  });
  await act("model/entity_create", { modelRef, entityKey: `${"long_key_".repeat(14)}xx` });
  await act("model/relationship_create", {
    modelRef,
    relationshipKey: "follows",
    roleAKey: "first",
    roleAEntityRef: "key:book",
    roleACardinality: "one",
    roleBKey: "second",
    roleBEntityRef: "key:book",
    roleBCardinality: "many",
    keyPairs: [["key:isbn", "key:isbn"]],
  });
  for (let at = 1; at <= 100; at++) {
    await act("tag/tag_local_create", { modelRef, key: `tag_${at}` });
    // An object takes fifty.
    if (at <= 50) {
      await act("model/entity_add_tag", { modelRef, entityRef: "key:book", tagRef: `key:tag_${at}` });
    }
  }
  await act("tag/tag_group_create", { key: "privacy" });
  await act("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
});

/** Every screen of the objects of a model, and what is open on it. */
const screens = (): readonly string[] => [
  `/models/${modelRef}/entities/key:book`,
  `/models/${modelRef}/entities/key:book?attribute=isbn`,
  `/models/${modelRef}/entities/key:book?tab=keys`,
  `/models/${modelRef}/entities/key:book?tab=relationships`,
  `/models/${modelRef}/entities/key:book?tab=properties`,
  `/models/${modelRef}/entities/key:${"long_key_".repeat(14)}xx`,
  `/models/${modelRef}/entities/key:book/attributes/key:isbn`,
  `/models/${modelRef}/relationships/key:follows`,
  `/models/${modelRef}/relationships/key:follows?tab=attributes`,
  `/models/${modelRef}/relationships/key:follows?tab=properties`,
  `/models/${modelRef}/types/key:string`,
  `/models/${modelRef}/tags?tag=tag_1`,
  "/tags",
  "/tags?open=privacy%2Fpersonal",
  "/tags?show=groups&open=privacy",
];

const settled = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await visitsOf(page).settled();
};

describe.each(["light", "dark"] as const)("every screen is accessible in the %s theme", (colorScheme) => {
  test.each([
    ["1280x800", DESKTOP],
    ["390x844", PHONE],
  ])("at %s", LONG, async (_, viewport) => {
    const page = await application.open("/models", { colorScheme, viewport });
    for (const path of screens()) {
      await page.goto(application.service.url + path);
      await settled(page);
      await expectAccessible(page);
    }
  });
});

test("no page is wider than a phone", async () => {
  const page = await application.open("/models", { viewport: PHONE });
  for (const path of screens()) {
    await page.goto(application.service.url + path);
    await settled(page);
    const width = () => page.evaluate("document.documentElement.scrollWidth");
    await expect.poll(width, { message: path }).toBeLessThanOrEqual(PHONE.width);
  }
});
