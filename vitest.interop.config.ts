import { defineConfig } from "vitest/config";

/** Other people's programs on the description of the service: generators of clients, and a tester. */
export default defineConfig({
  test: {
    include: ["test/interop/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each file keeps both cores busy.
    fileParallelism: false,
  },
});
