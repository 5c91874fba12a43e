import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { runtime } from "../../../shared/service/runtime.ts";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { createDynamoTable } from "../../../shared/store/table/dynamo.ts";
import { createScan } from "../../../shared/store/table/dynamo-admin.ts";
import { post, toLambdaEvent } from "../../http/support/transports.ts";
import type { Body } from "../../support/world.ts";
import { deploy, type Started } from "./deployment.ts";
import { unpackEarlierRelease } from "./earlier-release.ts";

export type Release = "earlier" | "present";
export const RELEASES: readonly Release[] = ["earlier", "present"];
export const other = (release: Release): Release => (release === "earlier" ? "present" : "earlier");

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** The functions of both releases over one table, with a caller that has all rights. */
export type TwoReleases = Awaited<ReturnType<typeof deployTwoReleases>>;

const SECRET = "a bootstrap secret of the test";
const ADA = { username: "ada", password: "violet harbor 1 lantern", fullname: "Ada Lovelace" };
const DISPATCHERS = 2;

/** Deploys both releases over one new table. The first administrator is made by `first`. */
export async function deployTwoReleases(first: Release) {
  const deployed = await deploy(SECRET);
  const getEarlierFolder = unpackEarlierRelease();
  const start = (release: Release, name: Parameters<typeof getEarlierFolder>[0], aheadMs = 0): Started =>
    deployed.start(name, { aheadMs, ...(release === "earlier" && { folder: getEarlierFolder(name) }) });
  const startDispatchers = (release: Release) =>
    Array.from({ length: DISPATCHERS }, () => createQueue(start(release, "dispatcher")));
  const dispatchers = { earlier: startDispatchers("earlier"), present: startDispatchers("present") };
  const table = createDynamoTable(deployed.connection);
  let calls = 0;

  /** Calls an action of a release; another process of it answers each time. */
  const call = async (release: Release, action: string, payload: object = {}, headers: object = {}): Promise<Reply> => {
    const invoke = dispatchers[release][calls++ % DISPATCHERS];
    const event = toLambdaEvent(post(`/api/${action}`, payload, { ...authorization, ...headers }));
    const answer = (await invoke?.(event)) as APIGatewayProxyStructuredResultV2;
    const { statusCode = 0, headers: answered = {}, body } = answer;
    return { status: statusCode, headers: answered as Reply["headers"], body: body ? JSON.parse(body) : undefined };
  };
  let authorization: object = {};
  const { body } = await call(first, "auth/admin_bootstrap", { ...ADA, secret: SECRET });
  authorization = { authorization: `Bearer ${body.access_token}` };

  return {
    ...deployed,
    table,
    start,
    call,
    /** Calls an action that has to succeed; returns the body. */
    run: async (release: Release, action: string, payload: object = {}, headers: object = {}): Promise<Body> => {
      const { status, body } = await call(release, action, payload, headers);
      if (status === 200) return body;
      throw new Error(`${action} of the ${release} release: ${status} ${JSON.stringify(body)}`);
    },
    /** Checks every rule of the table, at a later time. */
    check: async (aheadMs: number) => {
      const later = { ...runtime, now: () => Date.now() + aheadMs };
      return (await checkTable(table, { runtime: later, scan: createScan(deployed.connection) })).violations;
    },
  };
}

/** Returns a function that hands a process one event after the other, as Lambda does. */
function createQueue(started: Started): (event: unknown) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (event) => {
    const answer = last.then(() => started.invoke(event));
    last = answer.catch(() => undefined);
    return answer;
  };
}
