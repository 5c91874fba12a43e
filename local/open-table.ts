import { existsSync } from "node:fs";
import type { Connection } from "../shared/store/dynamo.ts";
import { startEngine } from "./engine.ts";
import { forgetRunning, noteRunning, takeOver } from "./running.ts";
import { BadSetting, FILES, readSettings } from "./settings.ts";

/** A table to work on as an operator, and how to let go of it. */
export interface OpenTable {
  /** For people. */
  readonly name: string;
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * The table the environment names: that of METACTION_DYNAMODB_ENDPOINT; without it, of the AWS account where METACTION_TABLE
 * is set and METACTION_DATA_DIR is not; else the data folder's, on an engine that runs only meanwhile. `BadSetting`.
 */
export async function openTable(environment: NodeJS.ProcessEnv, workingFolder: string): Promise<OpenTable> {
  const settings = readSettings(environment, workingFolder);
  const { table, endpoint, region, folder } = settings;
  const close = async (): Promise<void> => undefined;
  if (endpoint !== undefined) {
    return { name: `table ${table} at ${endpoint}`, connection: { table, endpoint, region }, close };
  }
  if (environment.METACTION_TABLE && !environment.METACTION_DATA_DIR) {
    // Credentials are found as every AWS tool finds them, and so is the region that is not named.
    const { AWS_REGION: named } = environment;
    return { name: `table ${table} in DynamoDB`, connection: { table, ...(named && { region: named }) }, close };
  }
  const database = FILES.database(folder);
  if (!existsSync(database)) {
    throw new BadSetting(
      `There is no ${database}: set METACTION_DATA_DIR, METACTION_DYNAMODB_ENDPOINT or METACTION_TABLE.`,
    );
  }
  const running = FILES.running(folder);
  await takeOver(running, folder);
  const engine = await startEngine(database);
  await noteRunning(running, { service: process.pid, engine: engine.pid });
  return {
    name: database,
    connection: {
      table,
      region,
      endpoint: engine.endpoint,
      credentials: { accessKeyId: "metaction", secretAccessKey: "metaction" },
    },
    close: async () => {
      await engine.stop();
      await forgetRunning(running);
    },
  };
}
