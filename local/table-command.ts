import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Runtime } from "../shared/actions/contract/call.ts";
import { type Connection, createDynamoTable } from "../shared/store/table/dynamo.ts";
import { createScan, type ScanTable } from "../shared/store/table/dynamo-admin.ts";
import type { Table } from "../shared/store/table/table.ts";
import { readSettings } from "./settings.ts";
import { BadSetting, FILES, prepareFolder } from "./sqlite/data-folder.ts";
import { openSqliteTable } from "./sqlite/table.ts";

/** A command for operators, which works on a whole table. */
export interface TableCommand {
  readonly usage: string;
  /** Word for what could not be done if the command ends with 2, such as `checked`. */
  readonly done: string;
  /** The flags it knows in addition to `--json` and `--help`. */
  readonly flags?: readonly string[];
  /** Returns the exit code; `flags` holds the flags of the call. */
  run(table: OpenTable, flags: ReadonlySet<string>): Promise<number>;
}

type Invocation = Pick<NodeJS.Process, "argv" | "env" | "cwd">;

/** Runs a command on the named table; a failure is a sentence on stderr and exit code 2. */
export async function runOnTable(command: TableCommand, invocation: Invocation, runtime: Runtime): Promise<void> {
  try {
    process.exitCode = await runCommand(command, invocation, runtime);
  } catch (error) {
    const isKnown = error instanceof BadSetting;
    process.stderr.write(isKnown ? `${error.message}\n` : `It could not be ${command.done}: ${formatError(error)}\n`);
    process.exitCode = 2;
  }
}

async function runCommand(command: TableCommand, { argv, env, cwd }: Invocation, runtime: Runtime): Promise<number> {
  const { target, flags } = parseWords(argv.slice(2), command);
  if (flags.has("help")) {
    process.stdout.write(command.usage);
    return 0;
  }
  const table = await openTable(chooseTarget(env, target), cwd(), runtime);
  try {
    return await command.run(table, flags);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ResourceNotFoundException") throw error;
    throw new BadSetting(`There is no ${table.name}; --table or METACTION_TABLE chooses another.`);
  } finally {
    table.close();
  }
}

interface Target {
  readonly table?: string | undefined;
  readonly region?: string | undefined;
}

function parseWords(words: string[], { usage, flags = [] }: TableCommand) {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  const own = Object.fromEntries([...flags, "json", "help"].map((name) => [name, flag]));
  try {
    const { table, region, ...options } = parseArgs({
      args: words,
      options: { ...own, table: text, region: text },
    }).values;
    return { target: { table, region }, flags: new Set(Object.keys(options)) };
  } catch (error) {
    throw new BadSetting(`${formatError(error)}\n\n${usage}`);
  }
}

function chooseTarget({ METACTION_DATA_DIR: folder, ...env }: NodeJS.ProcessEnv, { table, region }: Target) {
  const at = region ? { AWS_REGION: region } : {};
  return table ? { ...env, ...at, METACTION_TABLE: table } : { ...env, ...at, METACTION_DATA_DIR: folder };
}

function formatError(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}

/** A table to work on as an operator, and how to let go of it. */
export interface OpenTable {
  readonly name: string;
  readonly table: Table;
  readonly scan: ScanTable;
  /** Makes the search index read the models again that were changed without commits. */
  readonly expireSearches?: () => void;
  close(): void;
}

/** Opens METACTION_DYNAMODB_ENDPOINT, else METACTION_TABLE unless METACTION_DATA_DIR is set, else the data folder. */
async function openTable(environment: NodeJS.ProcessEnv, workingFolder: string, runtime: Runtime): Promise<OpenTable> {
  const settings = readSettings(environment, workingFolder);
  const { table, endpoint, region, folder } = settings;
  if (endpoint !== undefined) return openDynamoTable(`table ${table} at ${endpoint}`, { table, endpoint, region });
  if (environment.METACTION_TABLE && !environment.METACTION_DATA_DIR) {
    // Credentials are found as every AWS tool finds them, and so is a region that is not named.
    const { AWS_REGION: awsRegion } = environment;
    return openDynamoTable(`table ${table} in DynamoDB`, { table, ...(awsRegion && { region: awsRegion }) });
  }
  const file = FILES.database(folder);
  if (!existsSync(file)) {
    throw new BadSetting(
      `There is no ${file}: set METACTION_DATA_DIR, METACTION_DYNAMODB_ENDPOINT or METACTION_TABLE.`,
    );
  }
  await prepareFolder(folder);
  const { connect, scan, expireSearches, close } = openSqliteTable({ file }, runtime.now);
  return { name: file, table: connect(Number.POSITIVE_INFINITY), scan, expireSearches, close };
}

async function openDynamoTable(name: string, connection: Connection): Promise<OpenTable> {
  return { name, table: createDynamoTable(connection), scan: createScan(connection), close: () => undefined };
}
