import { defineConfig } from "vitest/config";
import { AnswersReporter } from "./test/support/answers-reporter.ts";
import { withoutDynamo } from "./test/support/without-dynamo.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      "test/installed/**",
      "test/interop/**",
      "test/packaged/**",
      "test/real/**",
      "test/soak/**",
      "test/ui/**",
      ...withoutDynamo(),
    ],
    globalSetup: ["test/support/temporary-folder.ts", "test/support/dynamo-setup.ts"],
    setupFiles: ["test/support/fixed-properties.ts"],
    reporters: ["default", new AnswersReporter()],
    // Many tests of one file run at once, and a slow machine makes each of them wait for all.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Processes rather than threads: argon2 and sockets behave as they do in the service.
    pool: "forks",
    maxWorkers: "100%",
    // Files share what they load: each would spend half a second on it.
    isolate: false,
  },
});
