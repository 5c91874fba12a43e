import { expect, test } from "vitest";
import { createChain } from "../../shared/service/chain.ts";
import { PASSWORD } from "../support/accounts.ts";
import { ISSUER } from "../support/issuer.ts";
import { person } from "../support/someone.ts";
import { createWorld } from "../support/world.ts";

test("the log line and the audit entry of a call have its caller, session, address and request ids", async () => {
  const world = await createWorld();
  const { username } = await person(world);
  const lines: string[] = [];
  const answer = createChain(world.service, {
    ...{ publicUrl: ISSUER, corsOrigins: [], log: (line) => lines.push(line) },
    ...{ recordedAddresses: "network", describeProcess: () => ',"memoryMb":9' },
  });
  const call = async (action: string, body: object, token?: string) => {
    const headers = { "content-type": "application/json", "x-request-id": "build-7" };
    const source = { sourceAddress: "192.0.2.7", gatewayRequestId: "JKJaXmPLvHcESHA=" };
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const request = { method: "POST", path: `/api/auth/${action}`, query: "", body: JSON.stringify(body) };
    return JSON.parse(String((await answer({ ...request, ...source, headers: { ...headers, ...bearer } })).body));
  };
  const { access_token: token } = await call("login", { username, password: PASSWORD });
  await call("logout", {}, token);
  const origin = { clientRequestId: "build-7", gatewayRequestId: "JKJaXmPLvHcESHA=", address: "192.0.2.0/24" };
  const [signOut, signIn] = (await world.run("auth/audit_list")).items;
  expect(signIn).toMatchObject({ ...origin, act: "auth/login" });
  expect(signOut).toMatchObject({ ...origin, act: "auth/logout", session: signIn.session });
  const caller = { actor: signOut.actor.id, session: signOut.session };
  const [first, second] = lines.map((line) => JSON.parse(line));
  expect(second).toMatchObject({ ...origin, ...caller, requestId: signOut.requestId, memoryMb: 9 });
  expect(Object.keys(first)).not.toContain("actor");
});
