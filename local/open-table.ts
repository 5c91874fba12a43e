import { existsSync } from "node:fs";
import type { Ambient } from "../shared/actions/contract/call.ts";
import type { ScanTable } from "../shared/store/fsck/scan.ts";
import type { Connection } from "../shared/store/table/dynamo.ts";
import type { Table } from "../shared/store/table/table.ts";
import { BadSetting } from "./bad-setting.ts";
import { FILES } from "./data-files.ts";
import { prepareFolder } from "./data-folder.ts";
import { readSettings } from "./settings.ts";
import { openSqliteTable } from "./sqlite/sqlite-table.ts";

/** A table to work on as an operator, and how to let go of it. */
export interface OpenTable {
  /** The table, named for people. */
  readonly name: string;
  readonly table: Table;
  readonly scan: ScanTable;
  /** Has searches in the file of the table, where it is in one, read models anew that were changed without commits. */
  readonly expireSearches?: () => void;
  close(): void;
}

/**
 * The table the environment names: that of METACTION_DYNAMODB_ENDPOINT; without it, of the AWS account where METACTION_TABLE
 * is set and METACTION_DATA_DIR is not; else the data folder's, which no service may use meanwhile. `BadSetting`.
 */
export async function openTable(
  environment: NodeJS.ProcessEnv,
  workingFolder: string,
  ambient: Ambient,
): Promise<OpenTable> {
  const settings = readSettings(environment, workingFolder);
  const { table, endpoint, region, folder } = settings;
  if (endpoint !== undefined) return inDynamo(`table ${table} at ${endpoint}`, { table, endpoint, region });
  if (environment.METACTION_TABLE && !environment.METACTION_DATA_DIR) {
    // Credentials are found as every AWS tool finds them, and so is the region that is not named.
    const { AWS_REGION: named } = environment;
    return inDynamo(`table ${table} in DynamoDB`, { table, ...(named && { region: named }) });
  }
  const file = FILES.database(folder);
  if (!existsSync(file)) {
    throw new BadSetting(
      `There is no ${file}: set METACTION_DATA_DIR, METACTION_DYNAMODB_ENDPOINT or METACTION_TABLE.`,
    );
  }
  await prepareFolder(folder);
  const { connect, scan, expireSearches, close } = openSqliteTable({ file }, ambient.now);
  return { name: file, table: connect(Number.POSITIVE_INFINITY), scan, expireSearches, close };
}

async function inDynamo(name: string, connection: Connection): Promise<OpenTable> {
  const { createDynamoTable } = await import("../shared/store/table/dynamo.ts");
  const { createScan } = await import("../shared/store/fsck/scan.ts");
  return { name, table: createDynamoTable(connection), scan: createScan(connection), close: () => undefined };
}
