import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { AnswersReporter } from "./test/support/answers-reporter.ts";
import { listLeftOutFiles } from "./test/support/left-out-files.ts";
import { ONE_TEST, ONE_WAIT } from "./test/ui/support/patience.ts";

const TEMPORARY_FOLDER = "test/support/temporary-folder.ts";
/** Sets up the folder for temporary files and the DynamoDB engine, and stops both after the run. */
const SERVICES = [TEMPORARY_FOLDER, "test/support/dynamo-setup.ts"];
/** Milliseconds for files whose tests run at once: a slow machine makes each of them wait for all. */
const TWO_MINUTES = { testTimeout: 120_000, hookTimeout: 120_000 };

/** More than there are cores: many tests wait for programs that they started, for timers and for disks. */
const MANY_WORKERS = 2 * availableParallelism();

type ProjectOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

/** Folders of `test/` that need programs or files beside npm packages, or that run for long. */
const SEPARATE: Readonly<Record<string, ProjectOptions>> = {
  databases: { ...TWO_MINUTES, globalSetup: [TEMPORARY_FOLDER] },
  installed: { ...TWO_MINUTES, globalSetup: SERVICES },
  // Each file keeps both cores busy.
  interop: { testTimeout: 600_000, hookTimeout: 600_000, fileParallelism: false },
  packaged: {
    globalSetup: [TEMPORARY_FOLDER, "test/packaged/support/packed.ts"],
    maxWorkers: MANY_WORKERS,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
  real: { globalSetup: SERVICES, testTimeout: 60_000 },
  soak: {
    include: ["test/soak/**/*.test.ts", "test/local/kill.test.ts"],
    globalSetup: SERVICES,
    testTimeout: 3_600_000,
    fileParallelism: false,
    // Two planted defects are tried at once.
    maxConcurrency: 2,
  },
  ui: {
    globalSetup: [TEMPORARY_FOLDER, "test/ui/support/built-application.ts"],
    testTimeout: ONE_TEST,
    hookTimeout: ONE_TEST,
    expect: { poll: { timeout: ONE_WAIT } },
    pool: "forks",
    // Each file has its own service and browser.
    maxWorkers: 2,
  },
};

const inFolder = (folder: string) => `test/${folder}/**/*.test.ts`;

/** Suites that start programs, such as the service, the stack, engines and simulations, or speak DynamoDB's protocol. */
const PROGRAMS = [
  ...["additions", "conformance", "docs", "infra", "local", "simulation"].map(inFolder),
  "test/**/*.wire.test.ts",
];

/** Needs only npm packages. */
const COMMON: ProjectOptions = {
  ...TWO_MINUTES,
  globalSetup: SERVICES,
  setupFiles: ["test/support/fixed-properties.ts"],
  // Processes rather than threads: argon2 and sockets behave as they do in the service.
  pool: "forks",
  // Many short-lived objects: a larger young generation is collected less often.
  execArgv: ["--max-semi-space-size=32"],
  maxWorkers: MANY_WORKERS,
  // Files share what they load: each would spend half a second on it.
  isolate: false,
};

/** Measures a service whose calls would be delayed by other tests. */
const DELAY = "test/guarantees/health-delay.test.ts";

const leftOut = listLeftOutFiles();

/** One project per npm script: `npm test` runs `default`, `npm run test:system` runs `system` and `packaged`, and so on. */
export default defineConfig({
  test: {
    reporters: ["default", new AnswersReporter()],
    // A snapshot without its test, such as under a former title, fails everywhere, and not only in CI. `-u` writes it.
    update: "none",
    projects: [
      {
        test: {
          ...COMMON,
          name: "default",
          include: ["test/**/*.test.ts"],
          exclude: [...Object.keys(SEPARATE).map(inFolder), ...PROGRAMS, DELAY, ...leftOut],
        },
      },
      { test: { ...COMMON, name: "system", include: PROGRAMS, exclude: [...leftOut] } },
      { test: { ...COMMON, name: "delay", include: [DELAY] } },
      ...Object.entries(SEPARATE).map(([name, options]) => ({
        test: { name, include: [inFolder(name)], ...options },
      })),
    ],
  },
});
