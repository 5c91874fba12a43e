import { expect, test } from "vitest";
import { FIRST_LOAD_BYTES, firstLoads } from "../../bench/first-load.ts";
import { WEB_FOLDER } from "../../functions/web/web-folder.ts";
import { useApplication } from "./support/application.ts";

const application = useApplication();

test("no screen loads more than it may before it shows", async () => {
  const loads = await firstLoads(WEB_FOLDER);
  expect(loads.length).toBeGreaterThan(2);
  const large = loads.filter(({ bytes }) => bytes > FIRST_LOAD_BYTES);
  expect(large.map(({ screen, bytes }) => `${screen} loads ${bytes} bytes`)).toEqual([]);
});

test("a browser is sent these files and no others, compressed", async () => {
  const page = await application.open("/sign-in", { token: null });
  await page.waitForLoadState("networkidle");
  const measured = `performance.getEntries()
    .filter(({ name, entryType }) => /navigation|resource/.test(entryType) && !/\\/api\\//.test(name))
    .map(({ name, encodedBodySize }) => [name, encodedBodySize])`;
  const sent = new Map((await page.evaluate(measured)) as [string, number][]);
  const load = (await firstLoads(WEB_FOLDER)).find(({ screen }) => screen.includes("sign-in"));
  const expected = [...(load?.files ?? [])].map(([file, bytes]) => [file === "index.html" ? "sign-in" : file, bytes]);
  const came = [...sent].map(([name, bytes]) => [new URL(name).pathname.slice(1), bytes] as const);
  const counted = came.filter(([name]) => !name.endsWith(".svg")).sort();
  expect(counted).toEqual(expected.sort());
});
