// Signs in, imports, reads, updates and finds, by openapi-fetch with the types that openapi-typescript makes.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths } from "./client/schema.js";

const [url = "", username = "", password = "", file = "", key = "", text = ""] = process.argv.slice(2);
const modelRef = `key:${key}`;
const entityRef = "key:book";

const client = createClient<paths>({ baseUrl: url });

async function got<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<NonNullable<T>> {
  const { data, error } = await answer;
  if (data === undefined || data === null) throw new Error(JSON.stringify(error));
  return data;
}

const { access_token } = await got(client.POST("/api/auth/login", { body: { username, password } }));
client.use({
  onRequest: ({ request }) => {
    request.headers.set("authorization", `Bearer ${access_token}`);
    return request;
  },
});

const content = JSON.parse(readFileSync(file, "utf8")) as { [name: string]: unknown };
const imported = await got(client.POST("/api/model/import", { body: { content, modelKey: key } }));
if (imported.status !== "ok") throw new Error("the import became a job");
const query = { modelRef, entityRef };
const before = await got(client.GET("/api/model/entity_get", { params: { query } }));
const update = "/api/model/entity_update_description";
const body = { modelRef, entityRef, value: text };
const rehearsed = await got(client.POST(update, { params: { header: { "Dry-Run": "true" } }, body }));
const header = { "If-Match": `"${imported.id}-${imported.revision}"` };
const updated = await got(client.POST(update, { params: { header }, body }));
const after = await got(client.GET("/api/model/entity_get", { params: { query } }));
const listed = await got(client.GET("/api/model/entity_list", { params: { query: { modelRef, limit: 1 } } }));
const found = await got(
  client.POST("/api/model/search", {
    body: { filters: { items: [{ type: "text", condition: "contains", value: text }] } },
  }),
);
const { error: problem } = await client.GET("/api/model/entity_get", {
  params: { query: { modelRef, entityRef: "key:nothing" } },
});

console.log(
  JSON.stringify({
    entities: imported.counts.entities,
    before: before.description ?? null,
    rehearsed: rehearsed.changes?.map(({ change }) => change),
    changed: updated.changed,
    after: after.description,
    listed: listed.items.map((row) => row.key),
    found: found.items.map(({ location }) => location.entityKey),
    refused: [problem?.status, problem?.code],
  }),
);
