import { parseArgs } from "node:util";
import type { Ambient } from "../shared/actions/contract/call.ts";
import { BadSetting } from "./bad-setting.ts";
import { type OpenTable, openTable } from "./open-table.ts";

/** A command for operators, which works on a whole table. */
export interface TableCommand {
  readonly usage: string;
  /** The word for what could not be done where the command ends with 2, such as `checked`. */
  readonly done: string;
  /** The flags it knows beside `--json` and `--help`. */
  readonly flags?: readonly string[];
  /** Answers the exit code; `asked` holds the flags that were given. */
  run(table: OpenTable, asked: ReadonlySet<string>): Promise<number>;
}

/** The process that the command runs in: its arguments, environment and folder. */
type Called = Pick<NodeJS.Process, "argv" | "env" | "cwd">;

/** Runs a command on the table that the words or the environment name; a failure is a sentence on stderr and exit code 2. */
export async function runOnTable(command: TableCommand, called: Called, ambient: Ambient): Promise<void> {
  try {
    process.exitCode = await attempt(command, called, ambient);
  } catch (error) {
    const foreseen = error instanceof BadSetting;
    process.stderr.write(foreseen ? `${error.message}\n` : `It could not be ${command.done}: ${sentenceOf(error)}\n`);
    process.exitCode = 2;
  }
}

async function attempt(command: TableCommand, { argv, env, cwd }: Called, ambient: Ambient): Promise<number> {
  const { named, asked } = read(argv.slice(2), command);
  if (asked.has("help")) {
    process.stdout.write(command.usage);
    return 0;
  }
  const table = await openTable(withNamed(env, named), cwd(), ambient);
  try {
    return await command.run(table, asked);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ResourceNotFoundException") throw error;
    throw new BadSetting(`There is no ${table.name}; --table or METACTION_TABLE chooses another.`);
  } finally {
    table.close();
  }
}

interface Named {
  readonly table?: string | undefined;
  readonly region?: string | undefined;
}

function read(words: string[], { usage, flags = [] }: TableCommand) {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  const own = Object.fromEntries([...flags, "json", "help"].map((name) => [name, flag]));
  try {
    const { table, region, ...given } = parseArgs({
      args: words,
      options: { ...own, table: text, region: text },
    }).values;
    return { named: { table, region }, asked: new Set(Object.keys(given)) };
  } catch (error) {
    throw new BadSetting(`${sentenceOf(error)}\n\n${usage}`);
  }
}

/** The environment, with the table and region of the command line in the place of its own. */
function withNamed({ METACTION_DATA_DIR: folder, ...env }: NodeJS.ProcessEnv, { table, region }: Named) {
  const at = region ? { AWS_REGION: region } : {};
  return table ? { ...env, ...at, METACTION_TABLE: table } : { ...env, ...at, METACTION_DATA_DIR: folder };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
