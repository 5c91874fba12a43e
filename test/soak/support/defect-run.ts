import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { JsonTestResults } from "vitest/node";
import type { Suite } from "./defect.ts";

export interface SuiteRun {
  readonly passed: number;
  readonly failed: readonly Failure[];
  /** Files that could not run at all: their import or their setup failed. */
  readonly broken: readonly string[];
  readonly seconds: number;
}

export interface Failure {
  readonly test: string;
  readonly message: string;
}

/** Messages that prove nothing: the code does not run at all, which any suite would notice, or a test only waited. */
const NO_ASSERTION = /^(ReferenceError|SyntaxError|TypeError)\b|is not defined|Test timed out/;

/** Returns the first failed assertion; undefined if tests failed only because the code does not run. */
export function findFailedAssertion({ failed }: SuiteRun): Failure | undefined {
  return failed.find(({ message }) => !NO_ASSERTION.test(message));
}

const MAX_RUN_MS = 10 * 60_000;

/** Makes random tests repeatable, so that they always catch the same defects. They draw more cases than in `npm test`. */
const SEEDS = { METACTION_SEED: "1", METACTION_SCHEDULES: "500", METACTION_CONFORMANCE_RUNS: "300" };

/** Runs suites in a folder by a vitest process, one file after the other. With `bail`, stops at the first failure. */
export async function runSuites(folder: string, suites: readonly Suite[], bail: boolean): Promise<SuiteRun> {
  const report = join(folder, "report.json");
  await rm(report, { force: true });
  const files = [...new Set(suites.map(({ file }) => file))];
  const texts = suites.map(({ tests }) => tests);
  // If one suite has no text, all of them run whole.
  const chosen = texts.every((text) => text !== undefined) ? texts.map((text) => RegExp.escape(text)).join("|") : "";
  const options = ["--reporter=json", `--outputFile=${report}`, "--no-file-parallelism"];
  if (bail) options.push("--bail=1");
  if (chosen !== "") options.push(`--testNamePattern=${chosen}`);
  const began = performance.now();
  const said = await runVitest(folder, ["run", ...files, ...options]);
  const written = await readFile(report, "utf8").catch(() => {
    throw new Error(`the run of ${files.join(", ")} left no report: ${said.slice(-2_000)}`);
  });
  return { ...readReport(JSON.parse(written) as JsonTestResults), seconds: (performance.now() - began) / 1_000 };
}

async function runVitest(folder: string, args: readonly string[]): Promise<string> {
  const { PATH, HOME, TMPDIR, METACTION_DYNAMODB_ENDPOINT } = process.env;
  const given = { PATH, HOME, TMPDIR, METACTION_DYNAMODB_ENDPOINT };
  // Other variables of the outer vitest process would make this one a worker.
  const env = Object.fromEntries(Object.entries({ ...given, ...SEEDS }).filter(([, value]) => value !== undefined));
  const child = spawn(process.execPath, [join(folder, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: MAX_RUN_MS,
  });
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return `${out}${said}`;
}

function readReport({ testResults }: JsonTestResults): Omit<SuiteRun, "seconds"> {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => ({
      test: fullName.trim(),
      message: (failureMessages?.[0] ?? "").slice(0, 300),
    }));
  const broken = testResults
    .filter((file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"))
    .map(({ name, message }) => `${name}: ${message.slice(0, 500)}`);
  return { passed: tests.filter(({ status }) => status === "passed").length, failed, broken };
}
