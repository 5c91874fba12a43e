import { createPublicKey } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { findDeploymentFaults } from "../../infra/smoke.ts";
import { toPublicJwk } from "../../shared/identity/tokens/mint-token.ts";
import { type Listening, serve } from "../formats/source-server.ts";
import { createTestKms } from "../identity/support/test-kms.ts";

let server: Listening | undefined;
afterEach(async () => server?.close());

const kms = createTestKms("one", "two", "planted");

/** Starts a service that publishes the keys of KMS with these ids. */
async function publish(ids: readonly string[], health = 200): Promise<string> {
  const keys = await Promise.all(
    ids.map(async (id) =>
      toPublicJwk(createPublicKey({ key: Buffer.from(await kms.publicKey(id)), format: "der", type: "spki" })),
    ),
  );
  server = await serve(({ url }, response) => {
    response.statusCode = url === "/health" ? health : 200;
    response.end(url === "/.well-known/jwks.json" ? JSON.stringify({ keys }) : "");
  });
  return `http://127.0.0.1:${server.port}`;
}

test("a service with the keys of KMS in their order is well", async () => {
  expect(await findDeploymentFaults(await publish(["one", "two"]), ["one", "two"], kms)).toEqual([]);
});

test.each([
  ["a key that somebody wrote into the table", ["planted"], ["one"], 2],
  ["one key more", ["one", "planted"], ["one"], 1],
  ["one key less", ["one"], ["one", "two"], 1],
  ["the keys in another order", ["two", "one"], ["one", "two"], 2],
])("%s is found", async (_, published, ids, count) => {
  expect(await findDeploymentFaults(await publish(published), ids, kms)).toHaveLength(count);
});

test("an unhealthy service is reported, before its keys", async () => {
  expect(await findDeploymentFaults(await publish(["one"], 503), ["one"], kms)).toEqual(["/health answered 503"]);
});
