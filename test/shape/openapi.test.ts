import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { isWrite } from "../../shared/actions/contract/action.ts";
import { describeAction } from "../../shared/actions/describe/describe.ts";
import { createUnscopedCallers } from "../../shared/actions/pipeline/caller-rights.ts";
import { createWriteQueue } from "../../shared/actions/pipeline/write-queue.ts";
import { PROBLEMS, Problem } from "../../shared/domain/problems.ts";
import { batchEntries } from "../../shared/domain/values/batch-types.ts";
import { describeApi } from "../../shared/http/openapi.ts";
import { createSchemaRegistry } from "../../shared/http/openapi-components.ts";
import { parseControls } from "../../shared/http/read-call.ts";
import { ACTIONS, findAction } from "../support/actions.ts";
import { createFolder } from "../support/temporary-folder.ts";

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string }; example: unknown }> };
  readonly responses: Readonly<Record<string, { $ref?: string; headers?: Record<string, unknown>; content?: unknown }>>;
}

interface Body {
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
  readonly required?: readonly string[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post: Operation }>>;
  readonly components: {
    readonly responses: Readonly<Record<string, unknown>>;
    readonly schemas: Readonly<Record<string, Body>>;
    readonly parameters: Readonly<Record<string, { readonly schema: { readonly pattern?: string } }>>;
  };
}

const service = {
  registry: createCatalogue(),
  ambient: { now: () => 0, newId: () => "id", random: () => 0, sleep: async () => undefined },
  unscopedCallers: createUnscopedCallers(),
  writeQueue: createWriteQueue(),
} as const;
const text = JSON.stringify(await documentFor("https://metadata.test/"));
// The document is plain JSON of this shape; the linter below checks the whole of it.
const api = JSON.parse(text) as Document;
const operation = (name: string) => api.paths[`/api/${name}`];

describe("the OpenAPI document", () => {
  test("has its version, its server without a slash at the end, and the rules of every call", () => {
    expect(api.openapi).toBe("3.1.0");
    expect(api.info.version).toBe("9.8.7");
    // The description states the rule that every call keeps to and no schema can say; test/http/read-body.test.ts tests the
    // refusal.
    expect(api.info.description).toContain("`__proto__` or `constructor.prototype`");
    expect(api.servers).toEqual([{ url: "https://metadata.test" }]);
  });

  test("has one path per action, with POST always and GET for reads", () => {
    expect(Object.keys(api.paths)).toEqual(ACTIONS.map((a) => `/api/${a.group}/${a.name}`));
    for (const action of ACTIONS) {
      const paths = operation(`${action.group}/${action.name}`);
      expect(paths?.post.tags).toEqual([action.group]);
      if (isWrite(action)) expect(paths?.get, action.name).toBeUndefined();
      if (action.intent === "read") expect(paths?.get, action.name).toBeDefined();
    }
    const neither = ACTIONS.filter((a) => a.intent === "other" && !operation(`${a.group}/${a.name}`)?.get);
    expect(neither.map((a) => `${a.group}/${a.name}`)).toEqual([
      "model/maintenance_rebuild_caches",
      "tag/maintenance_rebuild_caches",
      "auth/admin_bootstrap",
      "auth/login",
      "batch/job_cancel",
    ]);
  });

  test("has operation ids that are valid in code, with the group first if a name is reserved or repeated", () => {
    const idsOf = (name: string) => [operation(name)?.get?.operationId, operation(name)?.post.operationId];
    expect(idsOf("model/entity_create")).toEqual([undefined, "entityCreate"]);
    expect(idsOf("model/entity_get")).toEqual(["entityGet", "entityGetByPost"]);
    expect(idsOf("model/import")).toEqual([undefined, "modelImport"]);
    expect(idsOf("tag/maintenance_rebuild_caches")).toEqual([undefined, "tagMaintenanceRebuildCaches"]);
    const ids = Object.values(api.paths).flatMap((p) => [p.post.operationId, ...(p.get ? [p.get.operationId] : [])]);
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]*)*$/);
  });

  test("requires a token exactly where the rule does", () => {
    for (const action of ACTIONS) {
      const expected = action.rule === "public" ? [] : [{ bearer: [] }];
      expect(operation(`${action.group}/${action.name}`)?.post.security, action.name).toEqual(expected);
    }
  });

  test("describes the parameters in the body and, for reads, in the query", () => {
    const body = operation("model/entity_create")?.post.requestBody;
    expect(body?.content["application/json"]?.schema).toEqual({ $ref: "#/components/schemas/EntityCreateInput" });
    const schema = api.components.schemas.EntityCreateInput;
    expect(body?.required).toBe(true);
    expect(schema?.required).toEqual(["modelRef", "entityKey"]);
    expect(schema?.properties.entityKey).toMatchObject({ type: "string", pattern: expect.any(String) });
    const query = operation("model/entity_get")?.get?.parameters.filter((p) => p.in === "query");
    expect(query?.map((p) => [p.name, p.required])).toEqual([
      ["modelRef", true],
      ["entityRef", true],
      ["expand", false],
    ]);
    expect(operation("model/model_list")?.post.requestBody?.required).toBe(false);
    expect(operation("config/inspect_permissions")?.post).not.toHaveProperty("requestBody");
  });

  test("never describes an object as nullable, which breaks generated clients, and accepts null for the payload of an entry", () => {
    expect(api.components.schemas.BatchEntry?.properties.payload).toEqual({
      type: "object",
      additionalProperties: true,
    });
    expect(api.components.schemas.BatchEntry?.required).toEqual(["group", "action"]);
    expect(text).not.toContain('"type":["object","null"]');
    const entries = [{ group: "model", action: "model_list", payload: null }];
    expect(batchEntries.schema().parse(entries)).toEqual([{ ...entries[0], payload: {} }]);
  });

  test("has each control header only where it applies", () => {
    const controls = (o: Operation | undefined) =>
      o?.parameters.flatMap((p) => (p.$ref ? [p.$ref.slice(p.$ref.lastIndexOf("/") + 1)] : []));
    expect(controls(operation("model/entity_delete")?.post)).toEqual([
      "ifMatch",
      "dryRun",
      "idempotencyKey",
      "requestId",
    ]);
    expect(controls(operation("tag/tag_group_create")?.post)?.[0]).toBe("ifMatchOfTags");
    expect(controls(operation("auth/role_create")?.post)?.[0]).toBe("ifMatchOfIdentity");
    expect(controls(operation("batch/batch_run")?.post)?.[0]).toBe("ifMatchOfEach");
    expect(controls(operation("model/model_create")?.post)).toEqual(["dryRun", "idempotencyKey", "requestId"]);
    expect(controls(operation("model/model_export")?.get)).toEqual(["ifNoneMatch", "requestId"]);
    expect(controls(operation("model/model_list")?.get)).toEqual(["requestId"]);
  });

  test("describes entity tags as the service parses them", () => {
    const id = "01890a5d-ac96-774b-bcce-b302099a8057";
    const lists = [`"${id}-3"`, `"${id}-3.1-ndjson-gzip", "tags-4"`, '"a,b"', 'W/"x"', "*", "", "3", '"', "x", "W/*"];
    for (const list of lists) {
      const takes = (name: string) => new RegExp(api.components.parameters[name]?.schema.pattern ?? "").test(list);
      for (const [name, header] of [
        ["ifMatchOfEach", "if-match"],
        ["ifNoneMatch", "if-none-match"],
      ] as const) {
        const read = () => parseControls({ [header]: list }, { asRows: false, takesGzip: false });
        if (takes(name)) expect(read, `${header}: ${list}`).not.toThrow();
        else expect(read, `${header}: ${list}`).toThrow(Problem);
      }
      expect(takes("ifMatch"), list).toBe(list === `"${id}-3"`);
    }
  });

  test("has a response for every problem of an action", () => {
    for (const action of ACTIONS) {
      const responses = operation(`${action.group}/${action.name}`)?.post.responses ?? {};
      for (const code of describeAction(action).errors) {
        const name = responses[PROBLEMS[code].status]?.$ref?.replace("#/components/responses/", "");
        expect(name?.split("."), `${action.name} ${code}`).toContain(code);
        expect(api.components.responses).toHaveProperty([String(name)]);
      }
    }
  });

  test("has an entity tag, a next page and a 304 where the service answers them", () => {
    const list = operation("model/entity_list")?.get?.responses;
    expect(Object.keys(list?.["200"]?.headers ?? {})).toEqual(["X-Request-Id", "ETag", "Link"]);
    expect(list).toHaveProperty("304");
    expect(Object.keys(operation("model/model_list")?.post.responses["200"]?.headers ?? {})).not.toContain("ETag");
    expect(operation("model/entity_delete")?.post.responses).not.toHaveProperty("304");
  });
});

describe("for generators of clients", () => {
  const schemas = [...schemasIn(api, "")];

  test("every object with members is its own component", () => {
    const objects = schemas.filter(([, schema]) => schema.properties !== undefined);
    const places = objects.map(([place]) => place);
    expect(places.length).toBeGreaterThan(200);
    expect(places.filter((place) => !/^\/components\/schemas\/[A-Z][A-Za-z]*$/.test(place))).toEqual([]);
    const written = schemas.filter(([, { $ref }]) => /^#\/components\/schemas\/(Written|Deleted)$/.test(String($ref)));
    expect(written.length).toBeGreaterThan(90);
  });

  test("two schemas with one name are refused", () => {
    const named = createSchemaRegistry();
    named.refer({ title: "Row", type: "object", properties: { id: { type: "string" } } });
    expect(() => named.refer({ title: "Row", type: "object", properties: {} })).toThrow(
      "Two schemas have the name Row",
    );
  });

  test("no schema has keywords that many generators do not support", () => {
    const unread = schemas.filter(([, schema]) => {
      const { type, pattern, anyOf, allOf } = schema;
      const isUnread = type === "null" || "const" in schema || "propertyNames" in schema || anyOf || allOf;
      if (JSON.stringify(schema.additionalProperties) === "{}") return true;
      return isUnread || /\\p|\(\?[=!<]/i.test(String(pattern));
    });
    expect(unread.map(([place]) => place)).toEqual([]);
    for (const { get, post } of Object.values(api.paths)) {
      for (const p of [...(get?.parameters ?? []), ...post.parameters]) expect(p).not.toHaveProperty("content");
    }
  });

  test("an answer has one media type, so that it has one type", () => {
    for (const { get, post } of Object.values(api.paths)) {
      for (const { responses } of get ? [get, post] : [post]) {
        expect(Object.keys(responses["200"]?.content ?? {})).toHaveLength(1);
      }
    }
  });

  test("a list or an object in the query is a string of JSON text", () => {
    const filters = operation("model/search")?.get?.parameters.find(({ name }) => name === "filters");
    expect(filters).toMatchObject({
      schema: { type: "string", contentMediaType: "application/json" },
      example: JSON.stringify(describeAction(findAction("model/search")).example.filters),
    });
  });

  test("the pattern of a ref matches UUIDs and keys only", () => {
    const { pattern } = api.components.schemas.EntityGetInput?.properties.modelRef ?? {};
    const shown = new RegExp(String(pattern));
    const id = "01890a5d-ac96-774b-bcce-b302099a8057";
    const refs = [`id:${id}`, `id:${id.toUpperCase()}`, "key:a b", `key:${"x".repeat(128)}`];
    const others = [`id:${"-".repeat(36)}`, `id:${id}0`, `id:${id.replaceAll("-", "")}`, id, "key:", 'key:"', "a"];
    for (const ref of refs) expect(shown.test(ref), ref).toBe(true);
    for (const other of [...others, `key:${"x".repeat(129)}`]) expect(shown.test(other), other).toBe(false);
  });
});

describe("the Redocly linter", () => {
  const folder = createFolder();
  const lint = (name: string, document: string) => {
    const file = join(folder, name);
    writeFileSync(file, document);
    const root = fileURLToPath(new URL("../../", import.meta.url));
    const arguments_ = [join(root, "node_modules/@redocly/cli/bin/cli.js"), "lint", file, "--format=json"];
    return spawnSync(process.execPath, [...arguments_, `--config=${join(root, "test/shape/support/redocly.yaml")}`], {
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    });
  };

  test("reports nothing", { timeout: 60_000 }, () => {
    const { status, stdout } = lint("openapi.json", text);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
    expect(status).toBe(0);
  });

  test("rejects an example that violates its schema", { timeout: 60_000 }, () => {
    const { status, stdout } = lint("broken.json", text.replaceAll('"modelRef":"key:crm"', '"modelReff":"key:crm"'));
    expect(status).toBe(1);
    expect(stdout).toContain("no-invalid-media-type-examples");
  });
});

/** Every schema of a document, with its place. */
function* schemasIn(value: unknown, place: string): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  const isSchema = /\/(schema|items|additionalProperties|oneOf\/\d+|(properties|schemas)\/\w+)$/.test(place);
  if (isSchema) yield [place, value as Record<string, unknown>];
  for (const [member, inner] of Object.entries(value)) {
    if (member !== "example" && member !== "enum") yield* schemasIn(inner, `${place}/${member.replaceAll("/", "~1")}`);
  }
}

function documentFor(publicUrl: string) {
  const unused = () => {
    throw new Error("describing the service must not run it");
  };
  return describeApi(
    // The store, the identities and the importer fail whoever reaches for them.
    {
      ...service,
      facts: { version: "9.8.7", engine: "an engine", endpoint: "", table: "" },
      ports: unused,
      verification: { configuration: unused, keySet: unused },
    },
    publicUrl,
  );
}
