import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { PublicJwk } from "../../shared/identity/tokens/mint-token.ts";
import { objectsPartition } from "../../shared/store/table/keys.ts";
import { getItem } from "../store/support/check-model.ts";
import { sceneDocument } from "../store/support/scene.ts";
import { ISSUER } from "../support/issuer.ts";
import { openTable } from "../support/table.ts";
import { createWorld } from "../support/world.ts";

test("its tokens can be verified with the keys that it publishes", async () => {
  const { service, people } = await createWorld();
  expect(await service.verification.configuration()).toMatchObject({ issuer: ISSUER });
  const [head = "", claims = "", signature = ""] = people.admin.split(".");
  const { kid } = JSON.parse(Buffer.from(head, "base64url").toString());
  const { keys } = (await service.verification.keySet()) as { readonly keys: readonly PublicJwk[] };
  const jwk = keys.find((key) => key.kid === kid);
  const key = { key: createPublicKey({ key: { ...jwk }, format: "jwk" }), dsaEncoding: "ieee-p1363" as const };
  expect(verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"))).toBe(true);
});

test("a repaired entity is read and found as it is in the log by a process that knew the damage", async () => {
  const operations: string[] = [];
  const { table, items } = await openTable((operation) => operations.push(operation));
  const { run } = await createWorld({ table, cachedObjects: LIMITS.cachedObjects });
  const { id } = await run("model/import", { content: sceneDocument("crm") });
  const log = (await items()).find(({ generation, pk }) => generation && String(pk).includes(id));
  const key = { pk: objectsPartition(id, String(log?.generation)), sk: "entity#customer" };
  await table.batchPut([{ ...(await getItem(table, key)), name: "Damaged" }]);
  const read = async () => {
    const { name } = await run("model/entity_get", { modelRef: "key:crm", entityRef: "key:customer" });
    const filters = { items: [{ type: "text", condition: "contains", value: "damaged" }] };
    const found = await run("model/search", { filters });
    return { name, found: found.items.length };
  };
  expect(await read()).toEqual({ name: "Damaged", found: 1 });
  operations.length = 0;
  await run("model/entity_get", { modelRef: "key:crm", entityRef: "key:customer" });
  expect(operations).toHaveLength(2);
  await run("model/maintenance_rebuild_caches", { repair: true });
  expect(await read()).toEqual({ name: "Customers", found: 0 });
});
