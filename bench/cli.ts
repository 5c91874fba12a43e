import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ambient } from "../functions/ambient.ts";
import { prepareFolder } from "../local/data-folder.ts";
import { readSettings } from "../local/settings.ts";
import { startLocalService } from "../local/start.ts";
import { buildPackage } from "../packaging/build.ts";

const ROOT = join(import.meta.dirname, "..");
const ROUNDS = 21;
/** Factor by which a start may take longer than that of a bare Node.js. */
const MOST = 2.5;

/** Measures the help of the built command line and a bare Node.js alternately, so that both meet the same load. */
export async function benchCli(): Promise<readonly string[]> {
  buildPackage();
  const folder = await mkdtemp(join(tmpdir(), "metaction-cli-"));
  const settings = readSettings({ PORT: "0", METACTION_DATA_DIR: join(folder, "data"), METACTION_UI: "off" }, folder);
  await prepareFolder(settings.folder);
  const outside = { ambient, version: "0", log: () => undefined, onEngineExit: () => undefined };
  const service = await startLocalService(settings, outside);
  try {
    const { bare, warm } = await measured(folder, service.url);
    const ratio = warm / bare;
    console.log(`node -e 0              ${bare.toFixed(0)} ms`);
    console.log(`metaction help models  ${warm.toFixed(0)} ms, ${ratio.toFixed(2)} times as long`);
    console.log(JSON.stringify({ bench: "cli", bareMs: bare, helpMs: warm, ratio }));
    return ratio > MOST ? [`a start takes ${ratio.toFixed(2)} times as long as a bare Node.js, more than ${MOST}`] : [];
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

async function measured(folder: string, url: string): Promise<{ readonly bare: number; readonly warm: number }> {
  const entry = await installed(folder);
  const env = { PATH: process.env.PATH, HOME: folder, METACTION_URL: url };
  const run = promisify(execFile);
  const timed = async (args: readonly string[]): Promise<number> => {
    const begun = performance.now();
    await run(process.execPath, args, { env });
    return performance.now() - begun;
  };
  // The first ones fill the caches.
  for (let i = 0; i < 3; i++) await timed([entry, "help", "models"]);
  const bare: number[] = [];
  const warm: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    bare.push(await timed(["-e", "0"]));
    warm.push(await timed([entry, "help", "models"]));
  }
  return { bare: median(bare), warm: median(warm) };
}

/** The entry of the package as it is installed elsewhere: without the sources, which it would run instead. */
async function installed(folder: string): Promise<string> {
  for (const part of ["cli/metaction.js", "package.json", "dist/cli"]) {
    await cp(join(ROOT, part), join(folder, "package", part), { recursive: true });
  }
  return join(folder, "package/cli/metaction.js");
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
}
