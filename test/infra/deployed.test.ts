import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { bundleToFolder, type FunctionName } from "../../functions/bundle.ts";
import { ensureTable } from "../../shared/store/create-table.ts";
import { eventOf, post } from "../doors/support/doors.ts";
import { freshConnection } from "../support/table.ts";
import { startAwsServices } from "./support/aws-services.ts";
import { synthesize } from "./support/synthesize.ts";

const SECRET = "a bootstrap secret of the test";
const PASSWORD = "correct horse 1 battery";
const connection = freshConnection();
const template = synthesize();
const children: ChildProcess[] = [];
const aws = await startAwsServices("key-1", SECRET);

beforeAll(() => ensureTable(connection));
afterAll(() => {
  for (const child of children) child.kill();
  aws.stop();
});

/** The variables the stack gives a function, and no others, with values of this test. */
function environmentOf(timeout: number): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    METACTION_TABLE: connection.table,
    METACTION_ISSUER: "https://metadata.example",
    METACTION_SIGNING_KEY_ID: "key-1",
    METACTION_BOOTSTRAP_SECRET_ID: "secret-1",
    METACTION_VERSION: "1.2.3",
  };
  const [found] = Object.values(template.findResources("AWS::Lambda::Function", { Properties: { Timeout: timeout } }));
  const names = Object.keys(found?.Properties.Environment.Variables);
  return Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));
}

/** A function's minified bundle in a process of its own, with the environment Lambda and the stack give it. */
function start(name: FunctionName, timeout: number): (event: unknown) => Promise<unknown> {
  const file = join(bundleToFolder(name), "index.cjs");
  const child = fork("test/infra/support/lambda-process.ts", [file], {
    execArgv: [],
    env: {
      ...environmentOf(timeout),
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_SESSION_TOKEN: "test",
      AWS_ENDPOINT_URL_DYNAMODB: inject("endpoint"),
      AWS_ENDPOINT_URL_KMS: aws.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.endpoint,
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.push(child);
  return async (event) => {
    const answered = once(child, "message");
    const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`the function ended with ${code}`)));
    child.send(event as object);
    const [answer] = await Promise.race([answered, ended]);
    return answer;
  };
}

test("The bundled functions run with what the stack gives them: bootstrap, sign in, write, read, sweep", async () => {
  const invoke = start("dispatcher", 29);
  const call = async (...event: Parameters<typeof eventOf>) => {
    const { statusCode, body } = (await invoke(eventOf(...event))) as APIGatewayProxyStructuredResultV2;
    return { status: statusCode, body: JSON.parse(body ?? "") };
  };
  expect(await call({ target: "/health" })).toMatchObject({ status: 200 });
  expect(await call({ target: "/api/model/model_list" })).toMatchObject({ status: 401 });

  const ada = { username: "ada", password: PASSWORD };
  const first = { ...ada, fullname: "Ada Lovelace", secret: SECRET };
  const made = await call(post("/api/auth/admin_bootstrap", first));
  expect(made).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
  expect(await call(post("/api/auth/admin_bootstrap", first))).toMatchObject({ status: 410 });

  const { body } = await call(post("/api/auth/login", ada));
  const headers = { authorization: `Bearer ${body.access_token}` };
  const written = await call(post("/api/model/model_create", { key: "library", name: "Library" }, headers));
  expect(written).toMatchObject({ status: 200, body: { status: "ok", key: "library" } });
  const list = await call({ target: "/api/model/model_list", headers });
  expect(list).toMatchObject({ status: 200, body: [{ key: "library", name: "Library" }] });

  expect(await start("sweeper", 14 * 60)({})).toEqual({ closed: 0, notes: 0, items: 0 });
});
