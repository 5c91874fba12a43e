import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/real/**", "test/soak/**"],
    globalSetup: ["test/support/engine-setup.ts"],
    // Many tests of one file run at once, and a slow machine makes each of them wait for all.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Processes rather than threads: argon2 and the engine's sockets behave as they do in the service.
    pool: "forks",
  },
});
