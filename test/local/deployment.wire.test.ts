import { beforeAll, describe, expect, inject, test } from "vitest";
import { hashSecret } from "../../shared/domain/accounts/api-token.ts";
import { createDynamoTable } from "../../shared/store/table/dynamo.ts";
import { ensureTable } from "../../shared/store/table/dynamo-admin.ts";
import { BOOTSTRAP } from "../../shared/store/table/keys.ts";
import { FORMAT, type Table } from "../../shared/store/table/table.ts";
import { becomeAdministrator, signIn, startProcess } from "../support/local-process.ts";
import { runProgram } from "../support/run-program.ts";
import { freshConnection } from "../support/table.ts";
import { createFolder } from "../support/temporary-folder.ts";

const COMMANDS = ["local/fsck.ts", "local/reopen.ts"];

let elsewhere: Record<string, string>;
let name: string;
let table: Table;

beforeAll(async () => {
  const connection = freshConnection();
  await ensureTable(connection);
  name = connection.table;
  table = createDynamoTable(connection);
  elsewhere = {
    METACTION_DATA_DIR: createFolder(),
    METACTION_DYNAMODB_ENDPOINT: inject("endpoint"),
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  };
});

describe("the commands on a table that --table names", () => {
  test("npm run fsck checks it", async () => {
    const { code, said } = await runProgram("local/fsck.ts", elsewhere, `--table=${name}`, "--region=local");
    expect(said).toContain(`Checked table ${name} at `);
    expect(code).toBe(0);
  });

  test("npm run admin:reopen reopens it", async () => {
    const reopen = () => runProgram("local/reopen.ts", elsewhere, "--table", name, "--region", "local");
    const empty = await reopen();
    expect(empty).toMatchObject({ code: 2, out: "" });
    expect(empty.said).toMatch(/^In table .* no administrator was ever made: .*\n$/);
    const mark = { ...BOOTSTRAP, v: FORMAT, operation: "o", time: "2026-01-01T00:00:00.000Z", revision: 1 };
    await table.write({ put: mark, expect: { absent: true } });
    const { code, out } = await reopen();
    expect(code).toBe(0);
    expect(await table.get(BOOTSTRAP)).toMatchObject({ ...mark, reopened: hashSecret(out.trim()) });
  });

  test.each(COMMANDS)("%s ends with 2 and a sentence if there is no table", async (command) => {
    const noTable = await runProgram(command, { ...elsewhere, METACTION_TABLE: "no-such-table" });
    expect(noTable).toMatchObject({ code: 2, out: "" });
    expect(noTable.said).toMatch(/^There is no table no-such-table at .*\n$/);
  });
});

test("npm start stores everything in the DynamoDB of METACTION_DYNAMODB_ENDPOINT", async () => {
  const settings = { ...elsewhere, METACTION_TABLE: `${name}-of-service` };
  const first = await startProcess(elsewhere.METACTION_DATA_DIR ?? "", settings);
  expect(first.said()).toContain(`runs on  the DynamoDB at ${inject("endpoint")}`);
  const token = await becomeAdministrator(first);
  await first.call("model/model_create", { key: "kept", name: "Kept" }, token);
  await first.kill();
  const second = await startProcess(undefined, settings);
  const models = await second.call("model/model_list", {}, await signIn(second));
  expect(models.body.map((m: { key: string }) => m.key)).toEqual(["kept"]);
  expect(await second.interrupt()).toBe(0);
});
