import { createCloudService } from "./cloud-service.ts";
import { createHandler } from "./create-handler.ts";

const { service, publicUrl, ready: readied } = createCloudService(process.env);

/** What the start of the function waits for: Lambda gives it a whole processor until it has started, and a share afterwards. */
export const ready: Promise<void> = readied;

/** The Lambda entry point of the API. */
export const handler = createHandler(service, {
  publicUrl,
  corsOrigins: (process.env.METACTION_CORS_ORIGINS ?? "").split(",").filter((origin) => origin !== ""),
  log: (line) => process.stdout.write(`${line}\n`),
});
