import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolveInRepository, WEB_FOLDER } from "../packaging/web/sources.ts";
import { LANGUAGES, type Language } from "../ui/words/language.ts";
import { FIRST_LOAD_BYTES, measureFirstLoads } from "./first-load.ts";

/** Limit for the scripts of the whole application: it is loaded by route, not by part. */
const MOST_SCRIPTS = 60;

const kB = (bytes: number): number => Math.round(bytes / 100) / 10;

/** Builds the web application, counts its scripts and measures the first load of each screen. Returns the limits that are exceeded. */
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
  const scripts = readdirSync(WEB_FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  console.log(`${scripts.length} scripts, at most ${MOST_SCRIPTS}`);
  if (scripts.length > MOST_SCRIPTS) faults.push(`${scripts.length} scripts, more than ${MOST_SCRIPTS}`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  const screens = Object.fromEntries(loads.map(({ screen, bytes }) => [screen, bytes]));
  console.log(JSON.stringify({ bench: "ui", scripts: scripts.length, firstLoadBytes: screens, faults }));
  return faults;
}
