import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { readSettings } from "../local/settings.ts";
import { prepareFolder } from "../local/sqlite/data-folder.ts";
import { startLocalService } from "../local/start.ts";
import { buildPackage } from "../packaging/build.ts";
import { runtime } from "../shared/service/runtime.ts";
import { median } from "./median.ts";

const ROOT = join(import.meta.dirname, "..");
const ROUNDS = Number(process.env.METACTION_BENCH_ROUNDS ?? 21);

/** Limits for a start of the installed command and by npx, as multiples of a bare Node.js. */
const INSTALLED = 1.8;
const BY_NPX = 2.5;
/** Limit for npx with our command, as a multiple of npx with a command that does nothing, if npx itself is over its limit. */
const OF_NPX = 1.25;

/** Commands that are started in the folder where the package is installed, with a description. */
const STARTS = {
  bare: { words: ["node", "-e", "0"], description: "a bare Node.js" },
  version: { words: ["metaction", "--version"], description: "installed, reads nothing else" },
  help: { words: ["metaction", "help", "models"], description: "installed, from the kept description" },
  call: { words: ["metaction", "config", "sign_in_options"], description: "installed, calls the service" },
  fetch: {
    words: ["node", "-e", "fetch(process.env.METACTION_URL + '/health')"],
    description: "a bare call of the service",
  },
  empty: { words: ["npx", "empty"], description: "npx with a command that does nothing" },
  npx: { words: ["npx", "metaction", "help", "models"], description: "npx with ours" },
} as const;

type Start = keyof typeof STARTS;

/** Measures starts of the built and installed package, alternating with a bare Node.js, so that all meet the same load. */
export async function benchCli(): Promise<readonly string[]> {
  buildPackage();
  const folder = await mkdtemp(join(tmpdir(), "metaction-cli-"));
  const settings = readSettings({ PORT: "0", METACTION_DATA_DIR: join(folder, "data"), METACTION_UI: "off" }, folder);
  await prepareFolder(settings.folder);
  const outside = { runtime, version: "0", log: () => undefined, onEngineExit: () => undefined };
  const service = await startLocalService(settings, outside);
  try {
    await install(folder);
    const taken = await measureStarts(folder, service.url);
    const times = (one: Start, other: Start): number => taken[one] / taken[other];
    for (const [start, { words, description }] of Object.entries(STARTS)) {
      const ms = taken[start as Start].toFixed(0).padStart(4);
      console.log(
        `${words.slice(0, 4).join(" ").slice(0, 34).padEnd(35)} ${ms} ms  ${times(start as Start, "bare").toFixed(2)}  ${description}`,
      );
    }
    const faults = findFaults(times);
    console.log(JSON.stringify({ bench: "cli", rounds: ROUNDS, ms: taken, ofNpx: times("npx", "empty"), faults }));
    for (const fault of faults) console.log(fault);
    return faults;
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Returns the goals that were missed. If npx itself is over its limit, it is the base for our command by npx. */
function findFaults(times: (one: Start, other: Start) => number): readonly string[] {
  const isNpxOver = times("empty", "bare") > BY_NPX;
  if (isNpxOver) {
    const alone = `npx alone takes ${times("empty", "bare").toFixed(2)} times a bare Node.js, more than ${BY_NPX}`;
    console.log(`${alone}; what counts is that ours takes ${times("npx", "empty").toFixed(2)} times npx alone`);
  }
  const goals: readonly (readonly [start: Start, beside: Start, most: number])[] = [
    ["version", "bare", INSTALLED],
    ["help", "bare", INSTALLED],
    isNpxOver ? ["npx", "empty", OF_NPX] : ["npx", "bare", BY_NPX],
  ];
  return goals.flatMap(([start, beside, most]) => {
    const ratio = times(start, beside);
    const [one, other] = [STARTS[start], STARTS[beside]].map(({ words }) => words.join(" "));
    return ratio > most ? [`${one} takes ${ratio.toFixed(2)} times as long as ${other}, more than ${most}`] : [];
  });
}

/** Returns the median time of each start in milliseconds. */
async function measureStarts(folder: string, url: string): Promise<Readonly<Record<Start, number>>> {
  const bin = join(folder, "node_modules/.bin");
  // The commands of npm find Node.js by the path.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH: path, HOME: folder, METACTION_URL: url, npm_config_update_notifier: "false" };
  const run = promisify(execFile);
  const timeStart = async (start: Start): Promise<number> => {
    const [command, ...args] = STARTS[start].words;
    const file = command === "metaction" ? join(bin, command) : command === "node" ? process.execPath : command;
    const begun = performance.now();
    await run(file, args, { env, cwd: folder });
    return performance.now() - begun;
  };
  const starts = Object.keys(STARTS) as Start[];
  const times: Record<Start, number[]> = { bare: [], version: [], help: [], call: [], fetch: [], empty: [], npx: [] };
  // The first rounds fill the caches.
  for (let round = -2; round < ROUNDS; round++) {
    for (const start of starts) {
      const taken = await timeStart(start);
      if (round >= 0) times[start].push(taken);
    }
  }
  return Object.fromEntries(starts.map((start) => [start, median(times[start])])) as Record<Start, number>;
}

/** Installs the package as npm does, without its sources, and a second package that does nothing. */
async function install(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  for (const part of ["cli/metaction.js", "package.json", "dist/cli"]) {
    await cp(join(ROOT, part), join(modules, "metaction", part), { recursive: true });
  }
  await mkdir(join(modules, "empty"));
  await writeFile(join(modules, "empty/empty.js"), "#!/usr/bin/env node\n", { mode: 0o755 });
  const manifest = { name: "empty", version: "1.0.0", bin: { empty: "empty.js" } };
  await writeFile(join(modules, "empty/package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  await mkdir(join(modules, ".bin"));
  await symlink("../metaction/cli/metaction.js", join(modules, ".bin/metaction"));
  await symlink("../empty/empty.js", join(modules, ".bin/empty"));
}
