// Signs in, imports, reads, updates and finds, by the client that @hey-api/openapi-ts makes.
import { readFileSync } from "node:fs";
import { client } from "./client/client.gen.js";
import { entityGet, entityList, entityUpdateDescription, login, modelImport, searchByPost } from "./client/index.js";

const [url = "", username = "", password = "", file = "", key = "", text = ""] = process.argv.slice(2);
const modelRef = `key:${key}`;
const entityRef = "key:book";

client.setConfig({ baseUrl: url });
const { data: signedIn } = await login({ body: { username, password }, throwOnError: true });
client.setConfig({ auth: signedIn.access_token });

const content = JSON.parse(readFileSync(file, "utf8")) as { [name: string]: unknown };
const { data: imported } = await modelImport({ body: { content, modelKey: key }, throwOnError: true });
if (imported.status !== "ok") throw new Error("the import became a job");
const { data: before } = await entityGet({ query: { modelRef, entityRef }, throwOnError: true });
const body = { modelRef, entityRef, value: text };
const rehearsal = { body, headers: { "Dry-Run": "true" }, throwOnError: true } as const;
const { data: rehearsed } = await entityUpdateDescription(rehearsal);
const headers = { "If-Match": `"${imported.id}-${imported.revision}"` };
const { data: updated } = await entityUpdateDescription({ body, headers, throwOnError: true });
const { data: after } = await entityGet({ query: { modelRef, entityRef }, throwOnError: true });
const { data: listed } = await entityList({ query: { modelRef, limit: 1 }, throwOnError: true });
const { data: found } = await searchByPost({
  body: { filters: { items: [{ type: "text", condition: "contains", value: text }] } },
  throwOnError: true,
});
const { error: problem } = await entityGet({ query: { modelRef, entityRef: "key:nothing" } });

console.log(
  JSON.stringify({
    entities: imported.counts.entities,
    before: before?.description ?? null,
    rehearsed: rehearsed.changes?.map(({ change }) => change),
    changed: updated.changed,
    after: after?.description,
    listed: listed?.items.map((row) => row.key),
    found: found.items.map(({ location }) => location.entityKey),
    refused: [problem?.status, problem?.code],
  }),
);
