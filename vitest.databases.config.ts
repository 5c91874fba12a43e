import { defineConfig } from "vitest/config";

/** What is held against real databases, which these tests start themselves. */
export default defineConfig({
  test: {
    include: ["test/databases/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
