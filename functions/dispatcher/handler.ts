import { RECORDED_ADDRESSES } from "../../shared/domain/accounts/source-address.ts";
import { createCloudService } from "./cloud-service.ts";
import { createHandler } from "./lambda-event.ts";

const { service, publicUrl, ready: startup, takeUnits } = createCloudService(process.env);

/** Promise that the start waits for, because Lambda gives a whole processor only until then. */
export const ready: Promise<void> = startup;

const options = {
  publicUrl,
  corsOrigins: (process.env.METACTION_CORS_ORIGINS ?? "").split(",").filter((origin) => origin !== ""),
  recordedAddresses: RECORDED_ADDRESSES.find((one) => one === process.env.METACTION_RECORDED_ADDRESSES),
  log: (line: string) => process.stdout.write(`${line}\n`),
};

export const handler = createHandler(service, options, takeUnits);
