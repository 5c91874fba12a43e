import { expect, test } from "vitest";
import { FIRST_LOAD_BYTES, measureFirstLoads } from "../../bench/first-load.ts";
import { WEB_FOLDER } from "../../packaging/web/sources.ts";
import { LANGUAGES, type Language } from "../../ui/words/language.ts";
import { useApplication } from "./support/application.ts";
import { visitsOf } from "./support/visits.ts";

const application = useApplication();

const ALL = Object.keys(LANGUAGES) as Language[];

test.each(ALL)("no screen loads more than its limit before it shows: %s", async (language) => {
  const loads = await measureFirstLoads(WEB_FOLDER, language);
  expect(loads.length).toBeGreaterThan(2);
  const large = loads.filter(({ bytes }) => bytes > FIRST_LOAD_BYTES);
  expect(large.map(({ screen, bytes }) => `${screen} loads ${bytes} bytes`)).toEqual([]);
});

test("French has a text for every screen", async () => {
  const [english, french] = [await measureFirstLoads(WEB_FOLDER, "en"), await measureFirstLoads(WEB_FOLDER, "fr")];
  const sizes = new Map(english.map(({ screen, bytes }) => [screen, bytes]));
  expect(french.filter(({ screen, bytes }) => bytes <= (sizes.get(screen) ?? 0))).toEqual([]);
});

test.each(ALL)("a browser gets these files and no others, compressed: %s", async (language) => {
  const page = await application.open("/sign-in", { token: null, locale: language });
  await page.getByRole("textbox").first().waitFor();
  await visitsOf(page).settled();
  const measured = `performance.getEntries()
    .filter(({ name, entryType }) => /navigation|resource/.test(entryType) && !/\\/api\\//.test(name))
    .map(({ name, encodedBodySize }) => [name, encodedBodySize])`;
  const load = (await measureFirstLoads(WEB_FOLDER, language)).find(({ screen }) => screen.includes("sign-in"));
  const expected = [...(load?.files ?? [])].map(([file, bytes]) => [file === "index.html" ? "sign-in" : file, bytes]);
  const sent = async () => {
    const bytesOf = new Map((await page.evaluate(measured)) as [string, number][]);
    const came = [...bytesOf].map(([name, bytes]) => [new URL(name).pathname.slice(1), bytes] as const);
    return came.filter(([name]) => !name.endsWith(".svg")).sort();
  };
  await expect.poll(sent).toEqual(expected.sort());
});
