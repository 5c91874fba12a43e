// npm run test:mutation -- <room> [--sample=400] [--minutes=55] [--seed=1]
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { copyRepository } from "../soak/support/defect-copy.ts";
import {
  applyMutant,
  drawSample,
  EXCLUDED_MUTATORS,
  formatMutant,
  formatRange,
  listMutants,
  type Mutant,
  runsOnLoad,
} from "./mutants.ts";
import { SAMPLE_FILE } from "./sample-checker.ts";

/** Part of the production code, with the folders of `test/` that are expected to notice a defect in it. */
interface Room {
  /** Globs of production files. */
  readonly mutate: readonly string[];
  /** Globs of test files, from the folder `test`. */
  readonly tests: readonly string[];
}

/** Parts of the production code that `npm run test:mutation` measures. */
const ROOMS: Readonly<Record<string, Room>> = {
  cli: { mutate: ["cli/**/*.ts"], tests: ["cli"] },
  client: { mutate: ["client/**/*.ts"], tests: ["client", "cli"] },
  domain: { mutate: ["shared/domain/**/*.ts"], tests: ["domain", "actions", "every-action", "http/openapi*"] },
  formats: { mutate: ["shared/formats/**/*.ts"], tests: ["formats", "actions/{apply,compare-as,export,import}*"] },
  http: { mutate: ["shared/http/**/*.ts"], tests: ["http", "every-action"] },
  identity: { mutate: ["shared/identity/**/*.ts"], tests: ["identity", "http", "actions/auth*", "actions/config*"] },
  search: { mutate: ["shared/search/**/*.ts"], tests: ["actions/search*", "search"] },
  service: { mutate: ["shared/service/**/*.ts"], tests: ["service", "http", "identity", "actions/export-as*"] },
};

const REPORT = "reports/mutation.json";
/** Mutants that change no answer, as a run prints them: in the file, each group is below its reason. */
const EQUIVALENTS: readonly string[] =
  readFileSync(new URL("equivalents.txt", import.meta.url), "utf8").match(/^[^#\n].*/gm) ?? [];

/** Tests that a copy with mutants cannot run, and slow tests of large sources, for which shorter tests exist. */
const NOT_OF_MUTANTS = [
  "test/client/{bundle,types}.test.ts",
  "test/formats/{hostile-*,large-sources,repeated-parts}.test.ts",
];

/** Longest run of all tests of a room, in milliseconds. */
const WHOLE_RUN_MS = 5 * 60_000;

const NOTICED: ReadonlySet<string> = new Set(["Killed", "Timeout"]);

interface Verdict {
  readonly status: string;
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly (Omit<Mutant, "file"> & Verdict)[] }>>;
}

const say = (line: string) => process.stderr.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "400" },
    minutes: { type: "string", default: "55" },
    seed: { type: "string", default: "1" },
  },
});
const [name = ""] = positionals;
const room = ROOMS[name];
if (room) await measureRoom(room);
else {
  say(`Unknown room \`${name}\`; the rooms are ${Object.keys(ROOMS).join(", ")}.`);
  process.exitCode = 2;
}

/** Runs a sample of the mutants of a room, and prints the score and the mutants that no test noticed. */
async function measureRoom({ mutate, tests }: Room) {
  const copy = await copyRepository();
  try {
    const files = mutate.flatMap((glob) => globSync(glob, { cwd: copy.folder })).sort();
    const mutants = await listMutants(copy.folder, files);
    const sample = drawSample(mutants, Number(values.sample), Number(values.seed));
    say(
      `${name}: ${mutants.length} mutants in ${files.length} files, ${sample.length} drawn with --seed=${values.seed}`,
    );
    const texts = new Set(mutants.map(formatMutant));
    const outdated = EQUIVALENTS.filter((text) => files.includes(text.slice(0, text.indexOf(":"))) && !texts.has(text));
    for (const text of outdated) say(`Outdated in equivalents.txt, because the code has changed: ${text}`);
    await writeSettings(copy.folder, sample, tests);
    await runStryker(copy.folder, Number(values.minutes) * 60_000);
    const verdicts = readVerdicts(JSON.parse(await readFile(join(copy.folder, REPORT), "utf8")) as Report);
    for (const mutant of sample) {
      const text = formatMutant(mutant);
      const verdict = verdicts.get(text);
      if (verdict && (await needsAllTests(copy.folder, mutant, verdict)))
        verdicts.set(text, await testByAll(copy.folder, mutant));
    }
    printResult(sample, verdicts);
    await reportChangedFiles(copy.folder);
  } finally {
    await copy.remove();
  }
}

async function writeSettings(folder: string, sample: readonly Mutant[], tests: readonly string[]) {
  const include = tests.map((glob) => (glob.includes("*") ? `test/${glob}.test.ts` : `test/${glob}/**/*.test.ts`));
  const config = `import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
class ShortestFirst extends BaseSequencer {
  async sort(files) {
    const getDuration = (file) => this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0;
    return files.toSorted((one, other) => getDuration(one) - getDuration(other));
  }
}
export default defineConfig({ test: { isolate: false, maxWorkers: 2,
  include: ${JSON.stringify(include)},
  exclude: ["test/**/*.{browser,wire}.test.ts", ...${JSON.stringify(NOT_OF_MUTANTS)}],
  globalSetup: ["test/support/temporary-folder.ts", "test/support/dynamo-setup.ts"],
  setupFiles: ["test/mutation/active-mutant.ts", "test/support/fixed-properties.ts"],
  sequence: { sequencer: ShortestFirst },
  testTimeout: 300_000,
  hookTimeout: 300_000,
} });
`;
  await writeFile(join(folder, "vitest.config.ts"), config);
  await mkdir(join(folder, dirname(SAMPLE_FILE)), { recursive: true });
  await writeFile(join(folder, SAMPLE_FILE), JSON.stringify(sample.map(formatMutant)));
  const settings = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner", "./test/mutation/sample-checker.ts"],
    checkers: ["sample"],
    vitest: { related: false, pool: "forks" },
    mutate: [...new Set(sample.map(formatRange))],
    mutator: { excludedMutations: EXCLUDED_MUTATORS },
    // Its reader of tsconfig.json needs an older TypeScript, and the configuration has nothing to rewrite.
    tsconfigFile: "none.json",
    coverageAnalysis: "perTest",
    cleanTempDir: false,
    // A mutant that only runs while modules load needs all tests, see `needsAllTests`.
    ignoreStatic: true,
    dryRunTimeoutMinutes: 20,
    timeoutMS: 20_000,
    // Half of the processes check whether a mutant is in the sample, and half run tests.
    concurrency: 4,
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: REPORT },
  };
  await writeFile(join(folder, "stryker.config.json"), JSON.stringify(settings));
}

async function runStryker(folder: string, milliseconds: number) {
  const code = await runProgram(folder, ["@stryker-mutator/core/bin/stryker.js", "run"], milliseconds);
  if (code !== 0) throw new Error(`Stryker ended with ${code ?? "a timeout; try a smaller --sample"}.`);
}

/** Tests whether too few tests decided: those of code that runs when its module loads, or none after an error. */
async function needsAllTests(folder: string, mutant: Mutant, { status }: Verdict): Promise<boolean> {
  if (status === "RuntimeError" || status === "Ignored") return true;
  return status === "Survived" && runsOnLoad(await readFile(join(folder, mutant.file), "utf8"), mutant);
}

async function testByAll(folder: string, mutant: Mutant): Promise<Verdict> {
  const path = join(folder, mutant.file);
  const text = await readFile(path, "utf8");
  await writeFile(path, applyMutant(text, mutant));
  const code = await runProgram(folder, ["vitest/vitest.mjs", "run", "--bail=1", "--reporter=dot"], WHOLE_RUN_MS);
  await writeFile(path, text);
  return { status: code === 0 ? "Survived" : code === undefined ? "Timeout" : "Killed" };
}

/** Runs a program of an npm package, and returns its exit code; undefined if its time is up. */
function runProgram(folder: string, [program = "", ...args]: readonly string[], milliseconds: number) {
  const child = spawn(process.execPath, [join(folder, "node_modules", program), ...args], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    timeout: milliseconds,
    env: { ...process.env, METACTION_SEED: "1" },
  });
  return new Promise<number | undefined>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? undefined));
  });
}

/** Reports an error if a mutant changed a file that other tests read: verdicts after that are wrong. */
async function reportChangedFiles(folder: string) {
  for (const used of [folder, ...globSync(`${folder}/.stryker-tmp/sandbox-*`)])
    for (const file of globSync("{examples/**/*,*}.{json,md,sql}", { cwd: used, exclude: ["stryker.config.json"] })) {
      if ((await readFile(join(used, file), "utf8")) === (await readFile(file, "utf8").catch(() => undefined)))
        continue;
      say(`A mutant changed ${file}, so the result is wrong: the test must use a copy of it.`);
      process.exitCode = 1;
    }
}

function readVerdicts({ files }: Report): Map<string, Verdict> {
  return new Map(
    Object.entries(files).flatMap(([file, { mutants }]) =>
      mutants.map((mutant) => [formatMutant({ ...mutant, file }), mutant] as const),
    ),
  );
}

function printResult(sample: readonly Mutant[], verdicts: ReadonlyMap<string, Verdict>) {
  const rows = sample.map((mutant) => {
    const text = formatMutant(mutant);
    return { text, ...(verdicts.get(text) ?? { status: "Missing" }) };
  });
  const judged = rows.filter(({ text, status }) => !EQUIVALENTS.includes(text) && status !== "Missing");
  const noticed = judged.filter(({ status }) => NOTICED.has(status)).length;
  // Timeouts are printed too: on a busy machine they may be false.
  const printed = judged.filter(({ status }) => status === "Timeout" || !NOTICED.has(status));
  for (const { text, status } of printed.toSorted((a, b) => (a.text < b.text ? -1 : 1))) say(`${status} ${text}`);
  const counts = Object.groupBy(rows, ({ status }) => status);
  const [low, high] = computeInterval(noticed, judged.length);
  process.stdout.write(
    `${JSON.stringify({
      room: name,
      seed: Number(values.seed),
      sample: sample.length,
      judged: judged.length,
      noticed,
      score: round(noticed / judged.length),
      interval: [round(low), round(high)],
      ...Object.fromEntries(Object.entries(counts).map(([status, some]) => [status, some?.length])),
    })}\n`,
  );
}

function computeInterval(hits: number, count: number): readonly [number, number] {
  const z = 1.96;
  const share = hits / count;
  const middle = share + z ** 2 / (2 * count);
  const width = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  const scale = 1 + z ** 2 / count;
  return [(middle - width) / scale, (middle + width) / scale];
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
