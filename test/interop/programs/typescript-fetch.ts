// Signs in, imports, reads, updates and finds, by the client that openapi-generator makes for TypeScript and fetch.
import { readFileSync } from "node:fs";
import { AuthApi, Configuration, ModelApi, ProblemFromJSON, ResponseError } from "./client/index.js";

const [url = "", username = "", password = "", file = "", key = "", text = ""] = process.argv.slice(2);
const modelRef = `key:${key}`;
const entityRef = "key:book";

const { accessToken } = await new AuthApi(new Configuration({ basePath: url })).login({
  loginInput: { username, password },
});
const models = new ModelApi(new Configuration({ basePath: url, accessToken }));

const content = JSON.parse(readFileSync(file, "utf8")) as { [name: string]: unknown };
const imported = await models.modelImport({ modelImportInput: { content, modelKey: key } });
const before = await models.entityGet({ modelRef, entityRef });
const entityUpdateDescriptionInput = { modelRef, entityRef, value: text };
const rehearsed = await models.entityUpdateDescription({ entityUpdateDescriptionInput, dryRun: "true" });
const ifMatch = `"${imported.id}-${imported.revision}"`;
const updated = await models.entityUpdateDescription({ entityUpdateDescriptionInput, ifMatch });
const after = await models.entityGet({ modelRef, entityRef });
const listed = await models.entityList({ modelRef, limit: 1 });
const found = await models.searchByPost({
  searchInput: { filters: { items: [{ type: "text", condition: "contains", value: text }] } },
});
const failure = await models.entityGet({ modelRef, entityRef: "key:nothing" }).catch((error: unknown) => error);
if (!(failure instanceof ResponseError)) throw failure;
const problem = ProblemFromJSON(await failure.response.json());

console.log(
  JSON.stringify({
    entities: imported.counts.entities,
    before: before.description ?? null,
    rehearsed: rehearsed.changes?.map(({ change }) => change),
    changed: updated.changed,
    after: after.description,
    listed: listed.items.map((row) => row.key),
    found: found.items.map(({ location }) => location.entityKey),
    refused: [problem.status, problem.code],
  }),
);
