import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { inject } from "vitest";
import { bundleToFolder, type FunctionName } from "../../../functions/bundle.ts";
import { ensureTable } from "../../../shared/store/table/dynamo-admin.ts";
import { toLambdaEvent } from "../../http/support/transports.ts";
import { freshConnection } from "../../support/table.ts";
import { startAwsServices } from "./aws-services.ts";
import { statements, synthesize } from "./synthesize.ts";

/** A function that runs in a process of its own. */
export interface Started {
  /** Hands the function an event and waits for its answer; throws where it fails, or the process ends. */
  invoke(event: unknown): Promise<unknown>;
  kill(): void;
}

/** How a function is started: its clock `aheadMs`, other values of its variables, its time, and other code. */
interface StartOptions {
  readonly aheadMs?: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly seconds?: number;
  readonly folder?: string;
}

/** Sends a request to the dispatcher; returns the status and the JSON of the answer. */
export async function callDispatcher(dispatcher: Started, ...event: Parameters<typeof toLambdaEvent>) {
  const { statusCode, body } = (await dispatcher.invoke(toLambdaEvent(...event))) as APIGatewayProxyStructuredResultV2;
  return { status: statusCode, body: JSON.parse(body ?? "") };
}

const ID: Readonly<Record<FunctionName, string>> = { dispatcher: "Dispatcher", worker: "Worker", sweeper: "Sweeper" };

/** The ids of the two keys that KMS has. */
export const KEYS = ["key-1", "key-2"] as const;

/** Deploys the functions on a new table, with loopback services that enforce the roles of the stack. */
export async function deploy(
  secret: string,
  secrets: Readonly<Record<string, string>> = {},
  settings: Readonly<Record<string, string>> = {},
) {
  const connection = freshConnection();
  const template = synthesize(settings);
  const children: ChildProcess[] = [];
  const log: string[] = [];
  await ensureTable(connection);
  const may = (name: string, action: string) =>
    statements(template, `${ID[name as FunctionName]}Role`).some(({ Action }) => [Action].flat().includes(action));
  const aws = await startAwsServices({
    keyIds: KEYS,
    secrets: { ...secrets, "secret-1": secret },
    worker: "worker-1",
    may,
  });
  const values: Readonly<Record<string, string>> = {
    METACTION_TABLE: connection.table,
    METACTION_ISSUER: "https://metadata.example",
    METACTION_SIGNING_KEY_ID: KEYS[0],
    METACTION_BOOTSTRAP_SECRET_ID: "secret-1",
    METACTION_VERSION: "1.2.3",
    METACTION_WORKER: "worker-1",
  };

  /** Starts the bundle of a function with the variables of the stack only. */
  const start = (name: FunctionName, options: StartOptions = {}): Started => {
    const { aheadMs = 0, variables = {}, seconds, folder = bundleToFolder(name) } = options;
    const functions = Object.entries(template.findResources("AWS::Lambda::Function"));
    const { Timeout, Environment, Handler } = functions.find(([id]) => id.startsWith(ID[name]))?.[1].Properties ?? {};
    const names = Object.keys(Environment.Variables);
    const args = [folder, Handler, String(seconds ?? Timeout), String(aheadMs)];
    const child = fork("test/infra/support/lambda-process.ts", args, {
      execArgv: [],
      env: {
        ...Object.fromEntries(names.map((variable) => [variable, variables[variable] ?? values[variable] ?? ""])),
        AWS_REGION: "eu-central-1",
        AWS_ACCESS_KEY_ID: name,
        AWS_SECRET_ACCESS_KEY: "test",
        AWS_SESSION_TOKEN: "test",
        AWS_ENDPOINT_URL_DYNAMODB: inject("endpoint"),
        AWS_ENDPOINT_URL_KMS: aws.endpoint,
        AWS_ENDPOINT_URL_LAMBDA: aws.endpoint,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.endpoint,
      },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    children.push(child);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => log.push(text));
    const gone = new Promise<never>((_, reject) =>
      child.once("exit", (code) => reject(new Error(`the function ended with ${code}`))),
    );
    // The caller who waits for an answer gets this error; without one it is no unhandled rejection.
    gone.catch(() => undefined);
    return {
      invoke: async (event) => {
        const answered = once(child, "message");
        child.send(event as object);
        const [{ answer, failure }] = await Promise.race([answered, gone]);
        if (failure !== undefined) throw new Error(`the function ended with ${failure}`);
        return answer;
      },
      kill: () => child.kill("SIGKILL"),
    };
  };
  return {
    ...aws,
    connection,
    start,
    readLog: () => log.join(""),
    stop: () => {
      for (const child of children) child.kill();
      aws.stop();
    },
  };
}
