import { defineConfig } from "vitest/config";

/** What needs programs beside Node.js: a browser, and the shells of other people. */
export default defineConfig({
  test: {
    include: ["test/installed/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts", "test/support/dynamo-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
