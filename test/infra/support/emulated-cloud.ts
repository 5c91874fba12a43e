import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { bundleToFolder } from "../../../functions/bundle.ts";
import { ensureTable } from "../../../shared/store/table/dynamo-admin.ts";
import { makeRsaCertificate } from "../../formats/certificate.ts";
import { post, toLambdaEvent } from "../../http/support/transports.ts";
import { startEngine } from "../../support/engine.ts";
import { startAwsServices } from "./aws-services.ts";
import { type DeployedFunction, startFunction } from "./emulated-function.ts";
import { synthesize } from "./synthesize.ts";
import { openTlsProxy } from "./tls-proxy.ts";

/** The dispatcher as it is deployed, with the services it needs, over TLS on this machine. */
export interface EmulatedCloud {
  readonly folder: string;
  /** Bundled program that functions run in. */
  readonly client: string;
  readonly dispatcher: DeployedFunction;
  readonly hello: DeployedFunction;
  /** Headers of an administrator. */
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const SECRET = "bootstrap-secret-of-the-bench";
const FIRST = { username: "bench", fullname: "Bench", password: "Violet-Harbor-7-Lantern", secret: SECRET };
const TABLE = "bench";
const REGION = "eu-central-1";
export const MODEL_KEY = "library";
export const ENTITY_KEY = "book";

/** Starts the services and the proxies, and creates an administrator and a model with an entity through the function itself. */
export async function startEmulatedCloud(openTableProxy = openTlsProxy): Promise<EmulatedCloud> {
  const folder = await mkdtemp(join(tmpdir(), "metaction-bench-"));
  const certificate = makeRsaCertificate("localhost");
  const authority = join(folder, "authority.pem");
  await writeFile(authority, certificate.cert);
  const engine = await startEngine();
  await ensureTable({
    table: TABLE,
    endpoint: engine.endpoint,
    region: REGION,
    credentials: { accessKeyId: "bench", secretAccessKey: "bench" },
  });
  const aws = await startAwsServices({
    keyIds: ["key-1"],
    secrets: { "secret-1": SECRET },
    worker: "worker-1",
    may: () => true,
  });
  const [tableProxy, awsProxy] = await Promise.all([
    openTableProxy(engine.endpoint, certificate),
    openTlsProxy(aws.endpoint, certificate),
  ]);
  const outside = {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: "ASIABENCH",
    AWS_SECRET_ACCESS_KEY: "bench",
    AWS_SESSION_TOKEN: "bench",
    NODE_EXTRA_CA_CERTS: authority,
    AWS_ENDPOINT_URL_DYNAMODB: tableProxy.endpoint,
    AWS_ENDPOINT_URL_KMS: awsProxy.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: awsProxy.endpoint,
  };
  const dispatcher = { ...readTemplate(outside), folder: bundleToFolder("dispatcher") };
  const client = await bundleClient(folder);
  const hello = {
    ...dispatcher,
    folder: await writeHelloWorld(folder),
    handler: "index.handler",
    environment: outside,
  };
  const headers = await createContent(dispatcher, client);
  return {
    folder,
    client,
    dispatcher,
    hello,
    headers,
    stop: async () => {
      for (const one of [tableProxy, awsProxy, aws]) one.stop();
      await engine.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the handler setting, the size and the variables of the dispatcher in the synthesized template, with values. */
function readTemplate(outside: Readonly<Record<string, string>>): Omit<DeployedFunction, "folder"> {
  const functions = Object.entries(synthesize().findResources("AWS::Lambda::Function"));
  const [, found] = functions.find(([id]) => id.startsWith("Dispatcher")) ?? [];
  if (!found) throw new Error("the template has no dispatcher");
  const { Handler, MemorySize, Timeout, Environment } = found.Properties;
  const values: Readonly<Record<string, string>> = {
    METACTION_TABLE: TABLE,
    METACTION_ISSUER: "https://metadata.example",
    METACTION_SIGNING_KEY_ID: "key-1",
    METACTION_BOOTSTRAP_SECRET_ID: "secret-1",
    METACTION_WORKER: "worker-1",
  };
  const variables = Object.entries(Environment.Variables as Record<string, unknown>).map(([name, value]) => {
    const given = values[name] ?? value;
    if (typeof given !== "string") throw new Error(`the bench has no value for ${name}`);
    return [name, given] as const;
  });
  return {
    handler: Handler,
    memoryMegabytes: MemorySize,
    timeoutSeconds: Timeout,
    environment: { ...Object.fromEntries(variables), ...outside },
  };
}

async function bundleClient(folder: string): Promise<string> {
  const outfile = join(folder, "runtime-client.cjs");
  const entry = join(import.meta.dirname, "runtime-client.ts");
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "cjs", target: "node24" });
  return outfile;
}

async function writeHelloWorld(folder: string): Promise<string> {
  const code = 'exports.handler = async () => ({ statusCode: 200, body: "Hello World" });\n';
  await writeFile(join(folder, "index.cjs"), code);
  return folder;
}

/** Creates the first administrator and a model. Returns the headers of the administrator. */
async function createContent(dispatcher: DeployedFunction, client: string): Promise<Readonly<Record<string, string>>> {
  const running = await startFunction(dispatcher, { client });
  const call = async (...event: Parameters<typeof toLambdaEvent>) => {
    const answer = (await running.invoke(toLambdaEvent(...event))).answer as { statusCode: number; body: string };
    if (answer.statusCode !== 200) throw new Error(`${event[0].target} answered ${answer.statusCode} ${answer.body}`);
    return JSON.parse(answer.body);
  };
  try {
    const { access_token } = await call(post("/api/auth/admin_bootstrap", FIRST));
    const headers = { authorization: `Bearer ${access_token}` };
    await call(post("/api/model/model_create", { key: MODEL_KEY, name: "Library" }, headers));
    const entity = { modelRef: `key:${MODEL_KEY}`, entityKey: ENTITY_KEY, name: "Book" };
    await call(post("/api/model/entity_create", entity, headers));
    // The first call of an hour notes that the caller was seen.
    await call({ target: "/api/auth/whoami", headers });
    return headers;
  } finally {
    await running.stop();
  }
}
