import { defineConfig } from "vitest/config";

/** The web application in a real browser, against the service that serves it. */
export default defineConfig({
  test: {
    include: ["test/ui/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts", "test/ui/support/built-application.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page of a busy machine takes its time.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    // Each file has a service and a browser of its own.
    maxWorkers: 2,
  },
});
