import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../cli/build.ts";
import { startProcess } from "../test/support/local-process.ts";

const ROOT = join(import.meta.dirname, "..");
const ROUNDS = 15;
/** Most times a bare Node.js that a start may take. */
const MOST = 2.5;

/** Times the command line's help beside a bare Node.js, in turns, so that both meet the same load. */
export async function benchCli(): Promise<readonly string[]> {
  buildPackage();
  const folder = mkdtempSync(join(tmpdir(), "metaction-cli-"));
  const service = await startProcess(join(folder, "data"));
  try {
    const environment = { PATH: process.env.PATH, HOME: folder, METACTION_URL: service.url };
    const timed = (args: readonly string[]): number => {
      const begun = performance.now();
      const { status, stderr } = spawnSync(process.execPath, args, { env: environment, encoding: "utf8" });
      if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
      return performance.now() - begun;
    };
    const help = [publishedEntry(folder), "help", "model"];
    // The first ones fill the caches.
    for (let i = 0; i < 2; i++) timed(help);
    const bare: number[] = [];
    const warm: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      bare.push(timed(["-e", "0"]));
      warm.push(timed(help));
    }
    const figures = { bareMs: median(bare), helpMs: median(warm), ratio: median(warm) / median(bare) };
    console.log(`node -e 0              ${figures.bareMs.toFixed(0)} ms`);
    console.log(`metaction help model   ${figures.helpMs.toFixed(0)} ms, ${figures.ratio.toFixed(2)} times as long`);
    console.log(JSON.stringify({ bench: "cli", ...figures }));
    return figures.ratio > MOST ? [`a start takes ${figures.ratio.toFixed(2)} times a bare Node.js, more than ${MOST}`] : [];
  } finally {
    await service.interrupt();
    rmSync(folder, { recursive: true });
  }
}
