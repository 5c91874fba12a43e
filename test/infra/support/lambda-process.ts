import { createRequire } from "node:module";

/**
 * Runs a bundle as Lambda does: loads the file once, then answers one event after the other, each within `seconds`. The
 * clock of the process is `ahead` milliseconds fast.
 */
const [, , file = "", seconds = "", ahead = "0"] = process.argv;
const now = Date.now;
Date.now = () => now() + Number(ahead);

const { handler } = createRequire(import.meta.url)(file) as {
  handler: (event: unknown, context: unknown) => Promise<unknown>;
};

process.on("message", async (event) => {
  const end = now() + Number(seconds) * 1_000;
  process.send?.(await handler(event, { getRemainingTimeInMillis: () => end - now() }));
});
