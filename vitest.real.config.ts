import { defineConfig } from "vitest/config";

/** Real inputs, which lie beside the repository and are no part of it. */
export default defineConfig({
  test: {
    include: ["test/real/**/*.test.ts"],
    globalSetup: ["test/support/temporary-folder.ts", "test/support/dynamo-setup.ts"],
    testTimeout: 60_000,
  },
});
