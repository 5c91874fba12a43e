import { pathToFileURL } from "node:url";
import type { Ambient } from "../shared/actions/contract/call.ts";
import type { TableConnector } from "../shared/store/table/dynamo.ts";
import { BadSetting } from "./bad-setting.ts";
import { FILES } from "./data-files.ts";
import type { Settings } from "./settings.ts";
import { openSqliteTable, type SqliteTable } from "./sqlite/sqlite-table.ts";
import { SQL_TABLE } from "./sqlite/statements.ts";

/** The table a local service works on. */
export interface ServiceTable extends TableConnector {
  /** The engine, named for people. */
  readonly engine: string;
  /** The address of the engine, as a URL. */
  readonly endpoint: string;
  readonly name: string;
  /** Deletes some of the items whose time was before `now`, in seconds since the epoch, where nobody else does. */
  deleteExpired(now: number): Promise<number>;
  /** Searches in the file of the table, where that is this process's own. */
  readonly searches?: SqliteTable["searches"];
  close(): void;
}

/** Opens the table of the settings: in SQLite in this process, or in the DynamoDB they name, where it is made if need be. */
export async function openServiceTable(settings: Settings, { now }: Ambient): Promise<ServiceTable> {
  const { endpoint, table: name, region, folder } = settings;
  if (endpoint === undefined) {
    const file = FILES.database(folder);
    const table = openSqliteTable({ file }, now);
    return { ...table, engine: table.name, endpoint: pathToFileURL(file).href, name: SQL_TABLE };
  }
  const connection = { table: name, region, endpoint };
  // A service on SQLite does without AWS's client, which takes as long to load as all the rest.
  const { ensureTable } = await import("../shared/store/table/create-table.ts");
  const { createDynamoConnector: createDynamoTable } = await import("../shared/store/table/dynamo.ts");
  await ensureTable(connection).catch((error: unknown) => {
    throw isWithoutCredentials(error) ? new BadSetting(CREDENTIALS) : error;
  });
  return {
    ...createDynamoTable(connection, now),
    engine: `the DynamoDB at ${endpoint}`,
    endpoint,
    name,
    deleteExpired: async () => 0,
    close: () => undefined,
  };
}

const CREDENTIALS =
  "METACTION_DYNAMODB_ENDPOINT is set but there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (to anything, for a DynamoDB that does not check them).";

function isWithoutCredentials(error: unknown): boolean {
  return error instanceof Error && error.name === "CredentialsProviderError";
}
