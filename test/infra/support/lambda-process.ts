import { createRequire } from "node:module";

/** Runs a bundle as Lambda does: loads the file once, then answers one event after the other. */
const [, , file = ""] = process.argv;
const { handler } = createRequire(import.meta.url)(file) as {
  handler: (event: unknown, context: unknown) => Promise<unknown>;
};

process.on("message", async (event) => {
  const end = Date.now() + 29_000;
  process.send?.(await handler(event, { getRemainingTimeInMillis: () => end - Date.now() }));
});
