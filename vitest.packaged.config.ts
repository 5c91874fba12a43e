import { defineConfig } from "vitest/config";

/** What is published, as those get it who install it. */
export default defineConfig({
  test: {
    include: ["test/packaged/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts", "test/packaged/support/packed.ts"],
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
