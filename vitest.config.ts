import { defineConfig } from "vitest/config";
import { AnswersReporter } from "./test/support/answers-reporter.ts";
import { withoutDynamo } from "./test/support/without-dynamo.ts";
import { ONE_TEST, ONE_WAIT } from "./test/ui/support/patience.ts";

/** Sets up the folder for temporary files and the DynamoDB engine, and stops both after the run. */
const SERVICES = ["test/support/temporary-folder.ts", "test/support/dynamo-setup.ts"];

/** Folders of `test/` that need programs or files beside npm packages, or that run for long: each is a project below. */
const SEPARATE = ["databases", "installed", "interop", "packaged", "real", "soak", "ui"];

/** One project per npm script: `npm test` runs `default` and `packaged`, `npm run test:ui` runs `ui`, and so on. */
export default defineConfig({
  test: {
    reporters: ["default", new AnswersReporter()],
    projects: [
      {
        test: {
          name: "default",
          include: ["test/**/*.test.ts"],
          exclude: [...SEPARATE.map((folder) => `test/${folder}/**`), ...withoutDynamo()],
          globalSetup: SERVICES,
          setupFiles: ["test/support/fixed-properties.ts"],
          // Many tests of one file run at once, and a slow machine makes each of them wait for all.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Processes rather than threads: argon2 and sockets behave as they do in the service.
          pool: "forks",
          maxWorkers: "100%",
          // Files share what they load: each would spend half a second on it.
          isolate: false,
        },
      },
      {
        test: {
          name: "databases",
          include: ["test/databases/**/*.test.ts"],
          globalSetup: ["test/support/temporary-folder.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "installed",
          include: ["test/installed/**/*.test.ts"],
          globalSetup: SERVICES,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "interop",
          include: ["test/interop/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Each file keeps both cores busy.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "packaged",
          include: ["test/packaged/**/*.test.ts"],
          globalSetup: ["test/support/temporary-folder.ts", "test/packaged/support/packed.ts"],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/real/**/*.test.ts"],
          globalSetup: SERVICES,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "soak",
          include: ["test/soak/**/*.test.ts", "test/local/kill.test.ts"],
          globalSetup: SERVICES,
          testTimeout: 3_600_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "ui",
          include: ["test/ui/**/*.test.ts"],
          globalSetup: ["test/support/temporary-folder.ts", "test/ui/support/built-application.ts"],
          testTimeout: ONE_TEST,
          hookTimeout: ONE_TEST,
          expect: { poll: { timeout: ONE_WAIT } },
          pool: "forks",
          // Each file has its own service and browser.
          maxWorkers: 2,
        },
      },
    ],
  },
});
