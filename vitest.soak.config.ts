import { defineConfig } from "vitest/config";

/** The long runs: planted defects, kill after kill. */
export default defineConfig({
  test: {
    include: ["test/soak/**/*.test.ts", "test/local/kill.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts", "test/support/dynamo-setup.ts"],
    testTimeout: 3_600_000,
    fileParallelism: false,
  },
});
