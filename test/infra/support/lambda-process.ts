import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Runs a bundle as Lambda does: loads it once, then answers each event within `seconds`, its clock `ahead`. */
const [, , folder = "", setting = "", seconds = "", ahead = "0"] = process.argv;
const now = Date.now;
Date.now = () => now() + Number(ahead);

const [file = "", name = ""] = setting.split(".");
const path = join(folder, file);
const loaded = existsSync(`${path}.mjs`) ? await import(`${path}.mjs`) : createRequire(import.meta.url)(`${path}.cjs`);
const handler = loaded[name] as (event: unknown, context: unknown) => Promise<unknown>;

process.on("message", async (event) => {
  const end = now() + Number(seconds) * 1_000;
  try {
    const answer = await handler(event, { getRemainingTimeInMillis: () => end - now() });
    process.send?.({ answer });
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    process.send?.({ failure: code ?? message });
  }
});
