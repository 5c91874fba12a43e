import { randomBytes } from "node:crypto";
import { hashSecret } from "../shared/domain/accounts/api-token.ts";
import { runtime } from "../shared/service/runtime.ts";
import { reopenBootstrap } from "../shared/store/accounts/account-writes.ts";
import { BadSetting } from "./sqlite/data-folder.ts";
import { type OpenTable, runOnTable, type TableCommand } from "./table-command.ts";

const usage = `npm run -s admin:reopen -- [--table <name>] [--region <region>] [--json]

For when nobody can administer any more: opens the bootstrap once more, to a new secret. Users, roles and models stay as they
are, and the audit log shows it. Without --table it works on the table that npm run fsck checks; stop a local service first.

  --table    the table of a deployment, with your AWS credentials
  --region   its region
  --json     writes the secret as JSON on stdout
  --help     writes this

Exit codes: 0 it is open, 2 it could not be opened.
`;

async function reopen(table: OpenTable): Promise<{ readonly secret: string; readonly until: string }> {
  const secret = randomBytes(32).toString("base64url");
  const result = await reopenBootstrap(table.table, runtime, hashSecret(secret));
  if (result !== "never_used") return { secret, until: result.until };
  throw new BadSetting(
    `In ${table.name} no administrator was ever made: use the bootstrap secret that the service began with.`,
  );
}

const command: TableCommand = {
  usage,
  done: "reopened",
  run: async (table, flags) => {
    const { secret, until } = await reopen(table);
    process.stdout.write(flags.has("json") ? `${JSON.stringify({ secret, until })}\n` : `${secret}\n`);
    process.stderr.write(
      `The bootstrap of ${table.name} is open until ${until}, once, to the secret on stdout, which is shown only now:\n` +
        "auth/admin_bootstrap makes another administrator with it. The audit log shows the reopening.\n",
    );
    return 0;
  },
};

await runOnTable(command, process, runtime);
