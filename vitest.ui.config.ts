import { defineConfig } from "vitest/config";
import { ONE_TEST, ONE_WAIT } from "./test/ui/support/patience.ts";

/** The web application in a real browser, against the service that serves it. */
export default defineConfig({
  test: {
    include: ["test/ui/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts", "test/ui/support/built-application.ts"],
    testTimeout: ONE_TEST,
    hookTimeout: ONE_TEST,
    expect: { poll: { timeout: ONE_WAIT } },
    pool: "forks",
    // Each file has a service and a browser of its own.
    maxWorkers: 2,
  },
});
