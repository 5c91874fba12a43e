import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Suite } from "./defect.ts";

/** The results of one run of suites. */
export interface SuiteRun {
  readonly passed: number;
  /** Names of the tests that failed, each with what it said first. */
  readonly failed: readonly Failure[];
  /** Files that could not be run at all: their import or their preparation failed. */
  readonly broken: readonly string[];
  readonly seconds: number;
}

export interface Failure {
  readonly test: string;
  readonly says: string;
}

/** A test that ends so has met code that does not run, which any suite would notice, or has only waited. */
const NO_ASSERTION = /^(ReferenceError|SyntaxError|TypeError)\b|is not defined|Test timed out/;

/** The first failure that is a broken promise and not just broken code. */
export function brokenPromise({ failed }: SuiteRun): Failure | undefined {
  return failed.find(({ says }) => !NO_ASSERTION.test(says));
}

/** Longest time one run may take. */
const MOST_MS = 10 * 60_000;

/** Random tests draw the same in every run, so that what is caught once is caught always. */
const SEEDS = { METACTION_SEED: "1" };

/** Runs suites in a folder with an engine of their own, one file after the other; with `bail` up to the first failure. */
export async function runSuites(folder: string, suites: readonly Suite[], bail: boolean): Promise<SuiteRun> {
  const report = join(folder, "report.json");
  await rm(report, { force: true });
  const files = [...new Set(suites.map(({ file }) => file))];
  const texts = suites.map(({ tests }) => tests);
  // Without a text a suite runs whole, and then all of them do.
  const chosen = texts.every((text) => text !== undefined) ? texts.map((text) => RegExp.escape(text)).join("|") : "";
  const options = ["--reporter=json", `--outputFile=${report}`, "--no-file-parallelism"];
  if (bail) options.push("--bail=1");
  if (chosen !== "") options.push(`--testNamePattern=${chosen}`);
  const began = performance.now();
  const said = await runVitest(folder, ["run", ...files, ...options]);
  const text = await readFile(report, "utf8").catch(() => {
    throw new Error(`the run of ${files.join(", ")} left no report: ${said.slice(-2_000)}`);
  });
  return { ...readReport(JSON.parse(text) as Report), seconds: (performance.now() - began) / 1_000 };
}

function runVitest(folder: string, args: readonly string[]): Promise<string> {
  const { PATH, HOME, TMPDIR, METACTION_DYNAMODB_ENDPOINT } = process.env;
  const given = { PATH, HOME, TMPDIR, METACTION_DYNAMODB_ENDPOINT };
  // The run gets no other variable of the run around it: those would make it take itself for a worker.
  const env = Object.fromEntries(Object.entries({ ...given, ...SEEDS }).filter(([, value]) => value !== undefined));
  const child = spawn(process.execPath, [join(folder, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: MOST_MS,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(said));
  });
}

/** The members that are read of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

function readReport({ testResults }: Report): Omit<SuiteRun, "seconds"> {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => ({
      test: fullName.trim(),
      says: (failureMessages?.[0] ?? "").slice(0, 300),
    }));
  const broken = testResults
    .filter((file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"))
    .map(({ name, message }) => `${name}: ${message.slice(0, 500)}`);
  return { passed: tests.filter(({ status }) => status === "passed").length, failed, broken };
}
