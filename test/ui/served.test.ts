import { expect, test } from "vitest";
import { useApplication } from "./support/application.ts";
import { makeLibrary } from "./support/library.ts";

const application = useApplication();
const { act } = application;

test("an address of a screen loads the same page", async () => {
  application.expectComplaint(/^answer: 404 POST \/api\/model\/model_get$/);
  const page = await application.open("/models/key:a%2Fb%20%25%3F%23");
  // The service is asked for the key as it is meant.
  await page.getByText("no model key:a/b %?#").waitFor();
  await expect.poll(() => page.title()).toContain("Metaction");
});

test.each(["light", "dark"] as const)("a tag has its own colours: %s", async (colorScheme) => {
  const modelRef = await makeLibrary(application, colorScheme);
  await act("tag/tag_local_create", { modelRef, key: "core" });
  await act("model/model_add_tag", { modelRef, tagRef: "key:core" });
  const page = await application.open(`/models/${modelRef}`, { colorScheme });
  const chip = page.getByTitle("core", { exact: true }).first();
  await chip.waitFor();
  const [text, fill, sides] = await chip.evaluate((element: object) => {
    const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: object) => Record<string, string> };
    const style = getComputedStyle(element);
    return [style.color, style.backgroundColor, new Set([style.borderTopColor, style.borderLeftColor]).size];
  });
  expect(fill).not.toBe("rgba(0, 0, 0, 0)");
  expect([text, fill]).toEqual([
    expect.stringMatching(/^(?:oklch|lab|color)\(/),
    expect.stringMatching(/^(?:oklch|lab|color)\(/),
  ]);
  expect(sides).toBe(1);
});

test("a console message and an exception fail the test unless they were expected", async () => {
  application.expectComplaint(/^console: logged/);
  application.expectComplaint(/^exception: .*thrown/);
  const page = await application.open("/");
  await page.evaluate(`console.error("logged"); setTimeout(() => { throw new Error("thrown"); });`);
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))");
});

test("the licences of all bundled packages are served, those of the layout engine too", async () => {
  const answer = await fetch(`${application.service.url}/licenses.txt`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const text = await answer.text();
  for (const name of ["react", "@mantine/core", "@xyflow/react", "@hpcc-js/wasm-graphviz", "Graphviz"])
    expect(text).toContain(name);
});
