import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, join } from "node:path";
import { bundle, getEntryPath } from "../functions/bundle.ts";
import type { EmulatedCloud } from "../test/infra/support/emulated-cloud.ts";
import { startFunction } from "../test/infra/support/emulated-function.ts";

/** Processor time of a start in milliseconds, by input of the bundle and by module of Node.js. */
export type TimeByModule = ReadonlyMap<string, number>;

const RUNS = 8;
const INTERVAL_US = 100;

/** A V8 profile, as `--cpu-prof` writes it. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Profiles the first call of the dispatcher in several processes. Returns the mean of each module, largest first. The bundle
 * is the deployed one with line breaks and source maps.
 */
export async function profileStart(
  { folder, client, dispatcher }: EmulatedCloud,
  event: object,
): Promise<TimeByModule> {
  const code = join(folder, "mapped");
  mkdirSync(code);
  const maps = new Map<string, SourceMap>();
  for (const file of bundle(getEntryPath("dispatcher"), undefined, "mapped").files) {
    const [text = "", map] = file.code.split("//# sourceMappingURL=data:application/json;base64,");
    writeFileSync(join(code, file.name), text);
    if (map) maps.set(file.name, new SourceMap(JSON.parse(Buffer.from(map, "base64").toString("utf8"))));
  }
  const sums = new Map<string, number>();
  for (let run = 0; run < RUNS; run += 1) {
    const profiles = mkdtempSync(join(folder, "profile-"));
    const nodeArguments = ["--cpu-prof", `--cpu-prof-interval=${INTERVAL_US}`, `--cpu-prof-dir=${profiles}`];
    const running = await startFunction({ ...dispatcher, folder: code }, { client, nodeArguments });
    await running.invoke(event);
    await running.stop();
    for (const name of readdirSync(profiles)) {
      const profile = JSON.parse(readFileSync(join(profiles, name), "utf8")) as Profile;
      for (const [module, ms] of listTimes(profile, maps)) sums.set(module, (sums.get(module) ?? 0) + ms / RUNS);
    }
  }
  return new Map([...sums].sort(([, a], [, b]) => b - a));
}

function* listTimes(profile: Profile, maps: ReadonlyMap<string, SourceMap>): Iterable<readonly [string, number]> {
  const selfUs = new Map<number, number>();
  profile.samples.forEach((id, i) => {
    selfUs.set(id, (selfUs.get(id) ?? 0) + (profile.timeDeltas[i] ?? 0));
  });
  for (const { id, callFrame, positionTicks = [] } of profile.nodes) {
    const ms = (selfUs.get(id) ?? 0) / 1_000;
    const { url, functionName, lineNumber } = callFrame;
    const map = maps.get(basename(url));
    if (functionName === "(idle)" || ms === 0) continue;
    if (!map) yield [outsideName(url, functionName), ms];
    else {
      const ticks = positionTicks.length > 0 ? positionTicks : [{ line: lineNumber + 1, ticks: 1 }];
      const all = ticks.reduce((sum, tick) => sum + tick.ticks, 0);
      for (const tick of ticks) yield [inputAt(map, tick.line), (ms * tick.ticks) / all];
    }
  }
}

function outsideName(url: string, functionName: string): string {
  if (url.startsWith("node:")) return url;
  return url === "" ? functionName : `the runtime's client (${basename(url)})`;
}

/** The input that a line was made of: a path seen from the repository. */
function inputAt(map: SourceMap, line: number): string {
  const entry = map.findEntry(line - 1, 0);
  const ahead = "originalSource" in entry ? entry : map.findEntry(line - 1, 1_000);
  const source = "originalSource" in ahead ? String(ahead.originalSource) : "";
  return /(?:node_modules|shared|functions)\/.*$/.exec(source)?.[0] ?? "the joined files";
}
