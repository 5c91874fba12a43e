import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/real/**", "test/soak/**"],
    globalSetup: ["test/support/engine-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Processes rather than threads: argon2 and the engine's sockets behave as they do in the service.
    pool: "forks",
  },
});
