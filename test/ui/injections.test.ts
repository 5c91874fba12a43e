import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { useApplication } from "./support/application.ts";
import { injectedModel, keyOf, oneLine, TEXTS, WIDE } from "./support/injected-model.ts";
import { RAN } from "./support/injections.ts";
import { act } from "./support/library.ts";
import { LONG } from "./support/patience.ts";
import { openWatched } from "./support/watched-page.ts";

const application = useApplication();
/** A model key with characters that addresses write otherwise. */
const KEY = `a/b %?#<script>globalThis.${RAN}=1</script>`;
const MODEL = `/models/${encodeURIComponent(`key:${KEY}`)}`;
const modelRef = `key:${KEY}`;
const at = (kind: string, place: number): string => `${MODEL}/${kind}/${encodeURIComponent(`key:${keyOf(place)}`)}`;
const places = Array.from({ length: TEXTS }, (_, place) => place);

beforeAll(async () => {
  await act(application, "model/import", { content: injectedModel(KEY, oneLine(0)) });
  await act(application, "model/model_copy", { modelRef, modelNewKey: "copy" });
});

const heading = (page: Page): Promise<string> => page.getByRole("heading", { level: 1 }).first().innerText();

describe("a hundred hostile texts are only shown", () => {
  test("on the pages of a model and of its lists", LONG, async () => {
    const { page, visits, end } = await openWatched(application, "/models");
    for (const path of ["", "?show=relationships", "?show=types", "/tags", "/history", "/history?change=1", "/diagram"])
      await visits.go(MODEL + path);
    await visits.go(`${MODEL}/diagram?view=list`);
    await visits.go(MODEL);
    await expect.poll(() => heading(page)).toContain(oneLine(0));
    await end();
  });

  test.each([
    ["entities", [""]],
    ["relationships", ["", "?tab=attributes"]],
    ["types", [""]],
  ])("on every page of its %s", LONG, async (kind, tabs) => {
    const { page, visits, end } = await openWatched(application, MODEL);
    for (const place of places) {
      for (const tab of tabs) await visits.go(at(kind, place) + tab);
      await expect.poll(() => heading(page)).toContain(oneLine(place));
    }
    await end();
  });

  test("in the tabs of an entity and of a relationship", LONG, async () => {
    const { visits, end } = await openWatched(application, MODEL);
    for (const place of places.filter((one) => one % 4 === 0)) {
      for (const tab of ["keys", "relationships", "properties"]) await visits.go(`${at("entities", place)}?tab=${tab}`);
      await visits.go(`${at("relationships", place)}?tab=properties`);
    }
    await end();
  });

  test("in the table of attributes and the panel of each", LONG, async () => {
    const { page, visits, end } = await openWatched(application, `${MODEL}/entities/key:${WIDE}`);
    for (const place of places) {
      await visits.go(`${MODEL}/entities/key:${WIDE}?attribute=${encodeURIComponent(keyOf(place))}`);
      await page.getByRole("complementary").getByText(oneLine(place)).first().waitFor();
    }
    for (const place of places.filter((one) => one % 10 === 0))
      await visits.go(`${MODEL}/entities/key:${WIDE}/attributes/${encodeURIComponent(`key:${keyOf(place)}`)}`);
    await end();
  });
});
