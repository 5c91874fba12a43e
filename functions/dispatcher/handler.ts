import { createCloudService } from "./cloud-service.ts";
import { createHandler } from "./create-handler.ts";

const { service, publicUrl } = createCloudService(process.env);

/** The Lambda entry point of the API. */
export const handler = createHandler(service, {
  publicUrl,
  corsOrigins: (process.env.METACTION_CORS_ORIGINS ?? "").split(",").filter((origin) => origin !== ""),
  log: (line) => process.stdout.write(`${line}\n`),
});
