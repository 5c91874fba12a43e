import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible } from "./support/accessibility.ts";
import { LOOKS, PHONE, useApplication } from "./support/application.ts";
import { makeLibrary, relate } from "./support/library.ts";
import { LONG } from "./support/patience.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();
const { act } = application;
const modelRef = "key:screens";
const LONG_KEY = `${"long_key_".repeat(14)}xx`;

beforeAll(async () => {
  await makeLibrary(application, "screens");
  const book = { modelRef, entityRef: "key:book" };
  const constraints = { pattern: "^[0-9]{13}$", enum: ["a", "b"], minLength: 13, unique: true };
  const isbn = { ...book, attributeRef: "key:isbn", value: constraints };
  await act("model/entity_attribute_update_constraints", isbn);
  await act("model/entity_primary_key_update", { ...book, attributeRef: ["key:isbn"] });
  await act("model/business_key_create", { ...book, key: "title", participants: ["key:title"] });
  await act("model/entity_update_property", { ...book, property: "acme:owner", value: { team: "Acquisitions" } });
  await act("model/entity_update_description", { ...book, value: "A **title** that the library holds." });
  await act("model/entity_create", { modelRef, entityKey: LONG_KEY });
  const roles = { roleAKey: "first", roleACardinality: "one", roleBKey: "second", roleBCardinality: "many" };
  await relate(application, modelRef, "follows", { ...roles, keyPairs: [["key:isbn", "key:isbn"]] });
  for (let at = 1; at <= 100; at++) {
    await act("tag/tag_local_create", { modelRef, key: `tag_${at}` });
    // An object takes fifty.
    if (at <= 50) await act("model/entity_add_tag", { ...book, tagRef: `key:tag_${at}` });
  }
  await act("tag/tag_group_create", { key: "privacy" });
  await act("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
});

const SCREENS: readonly string[] = [
  ...[`/models/${modelRef}/entities/key:book`, `/models/${modelRef}/entities/key:book?attribute=isbn`],
  ...[`/models/${modelRef}/entities/key:book?tab=keys`, `/models/${modelRef}/entities/key:book?tab=relationships`],
  ...[`/models/${modelRef}/entities/key:book?tab=properties`, `/models/${modelRef}/entities/key:${LONG_KEY}`],
  ...[`/models/${modelRef}/entities/key:book/attributes/key:isbn`, `/models/${modelRef}/relationships/key:follows`],
  `/models/${modelRef}/relationships/key:follows?tab=attributes`,
  ...[`/models/${modelRef}/relationships/key:follows?tab=properties`, `/models/${modelRef}/types/key:string`],
  ...[`/models/${modelRef}/tags?tag=tag_1`, "/tags", "/tags?open=privacy%2Fpersonal"],
  "/tags?show=groups&open=privacy",
];

async function visitAll(page: Page, look: (path: string) => Promise<unknown>) {
  for (const path of SCREENS) {
    await page.goto(application.service.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await visitsOf(page).settled();
    await look(path);
  }
}

test.each(LOOKS)("every screen is accessible on a $device, $colorScheme", LONG, async ({ device: _, ...look }) => {
  const page = await application.open("/models", look);
  await visitAll(page, () => expectAccessible(page));
});

test("no page is wider than a phone", async () => {
  const page = await application.open("/models", { viewport: PHONE });
  const width = () => page.evaluate("document.documentElement.scrollWidth");
  await visitAll(page, (path) => expect.poll(width, { message: path }).toBeLessThanOrEqual(PHONE.width));
});
