import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { ambient } from "../functions/ambient.ts";
import { reopeningDigest } from "../shared/identity/bootstrap-secret.ts";
import { createDynamoSeam } from "../shared/store/dynamo.ts";
import { reopenBootstrap } from "../shared/store/reopening.ts";
import { NoEngine } from "./engine.ts";
import { type OpenTable, openTable } from "./fsck-table.ts";
import { BadSetting } from "./settings.ts";

const USAGE = `npm run -s admin:reopen -- [--table <name>] [--region <region>] [--json]

For when nobody can administer any more: opens the bootstrap once more, to a new secret. Users, roles and models stay as they
are, and the audit log shows it. Without --table it works on the table that npm run fsck checks; stop a local service first.

  --table    the table of a deployment, with your AWS credentials
  --region   its region
  --json     writes the secret as JSON on stdout
  --help     writes this

Exit codes: 0 it is open, 2 it could not be opened.
`;

interface Wishes {
  readonly table?: string | undefined;
  readonly region?: string | undefined;
  readonly json?: boolean | undefined;
  readonly help?: boolean | undefined;
}

function readWishes(words: string[]): Wishes {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  try {
    return parseArgs({ args: words, options: { table: text, region: text, json: flag, help: flag } }).values;
  } catch (error) {
    throw new BadSetting(`${sentenceOf(error)}\n\n${USAGE}`);
  }
}

/** The environment with what the command line says in its place. */
function environmentOf({ table, region }: Wishes): NodeJS.ProcessEnv {
  if (region) process.env.AWS_REGION = region;
  const { METACTION_DATA_DIR: folder, ...rest } = process.env;
  return table ? { ...rest, METACTION_TABLE: table } : { ...rest, METACTION_DATA_DIR: folder };
}

async function reopen(table: OpenTable): Promise<{ readonly secret: string; readonly until: string }> {
  const secret = randomBytes(32).toString("base64url");
  const reopened = await reopenBootstrap(createDynamoSeam(table.connection), ambient, reopeningDigest(secret));
  if (reopened !== "never_used") return { secret, until: reopened.until };
  throw new BadSetting(
    `In ${table.name} no administrator was ever made: use the bootstrap secret that the service began with.`,
  );
}

async function main(): Promise<number> {
  const wishes = readWishes(process.argv.slice(2));
  if (wishes.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const table = await openTable(environmentOf(wishes), process.cwd());
  try {
    const { secret, until } = await reopen(table);
    process.stdout.write(wishes.json ? `${JSON.stringify({ secret, until })}\n` : `${secret}\n`);
    process.stderr.write(
      `The bootstrap of ${table.name} is open until ${until}, once, to the secret on stdout, which is shown only now:\n` +
        "auth/admin_bootstrap makes another administrator with it. The audit log shows the reopening.\n",
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ResourceNotFoundException") throw error;
    throw new BadSetting(`There is no ${table.name}; --table or METACTION_TABLE chooses another.`);
  } finally {
    await table.close();
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const foreseen = error instanceof BadSetting || error instanceof NoEngine;
    process.stderr.write(foreseen ? `${sentenceOf(error)}\n` : `It could not be reopened: ${sentenceOf(error)}\n`);
    process.exitCode = 2;
  },
);
