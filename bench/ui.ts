import { spawnSync } from "node:child_process";
import { resolveInRepository, WEB_FOLDER } from "../packaging/web/sources.ts";
import { LANGUAGES, type Language } from "../ui/words/language.ts";
import { FIRST_LOAD_BYTES, measureFirstLoads } from "./first-load.ts";

const kB = (bytes: number): number => Math.round(bytes / 100) / 10;

/** Builds the web application and measures what a browser loads before each screen. Returns the screens that load too much. */
export async function benchUi(): Promise<readonly string[]> {
  spawnSync(process.execPath, [resolveInRepository("packaging/web/build.ts")], { stdio: "inherit" });
  const loads = (
    await Promise.all(
      (Object.keys(LANGUAGES) as Language[]).map(async (language) =>
        (
          await measureFirstLoads(WEB_FOLDER, language)
        ).map((load) => ({ ...load, screen: `${load.screen} ${language}` })),
      ),
    )
  )
    .flat()
    .sort((a, b) => b.bytes - a.bytes);
  console.table(loads.map(({ screen, bytes, files }) => ({ screen, kB: kB(bytes), files: files.size })));
  const [largest] = loads;
  console.table([...(largest?.files ?? [])].slice(0, 12).map(([file, bytes]) => ({ file, kB: kB(bytes) })));
  const faults = loads
    .filter(({ bytes }) => bytes > FIRST_LOAD_BYTES)
    .map(({ screen, bytes }) => `${screen} loads ${kB(bytes)} kB first, more than ${kB(FIRST_LOAD_BYTES)}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  const screens = Object.fromEntries(loads.map(({ screen, bytes }) => [screen, bytes]));
  console.log(JSON.stringify({ bench: "ui", firstLoadBytes: screens, faults }));
  return faults;
}
