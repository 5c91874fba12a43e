import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { isWrite } from "../../shared/actions/controls.ts";
import { describeAction } from "../../shared/actions/describe.ts";
import { createTurns } from "../../shared/actions/turns.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { describeApi } from "../../shared/http/openapi.ts";
import { ACTIONS } from "../support/actions.ts";

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
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Body; example: unknown }> };
  readonly responses: Readonly<Record<string, { $ref?: string; headers?: Record<string, unknown>; content?: unknown }>>;
}

interface Body {
  readonly properties: Readonly<Record<string, Record<string, unknown>>>;
  readonly required?: readonly string[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post: Operation }>>;
  readonly components: { readonly responses: Readonly<Record<string, unknown>> };
}

const service = {
  registry: createCatalogue(),
  ambient: { now: () => 0, newId: () => "id", random: () => 0, sleep: async () => undefined },
  turns: createTurns(),
} as const;
const text = JSON.stringify(await documentFor("https://metadata.test/"));
// The document is plain JSON of this shape; the linter below checks the whole of it.
const api = JSON.parse(text) as Document;
const operation = (name: string) => api.paths[`/api/${name}`];

describe("the OpenAPI document", () => {
  test("names its version and its server without a slash at the end", () => {
    expect(api.openapi).toBe("3.1.0");
    expect(api.info.version).toBe("9.8.7");
    expect(api.servers).toEqual([{ url: "https://metadata.test" }]);
  });

  test("has one path per action, with POST always and GET where nothing is written and no secret is needed", () => {
    expect(Object.keys(api.paths)).toEqual(ACTIONS.map((a) => `/api/${a.group}/${a.name}`));
    for (const action of ACTIONS) {
      const paths = operation(`${action.group}/${action.name}`);
      const secret = describeAction(action).parameters.some((p) => p.secret);
      expect(paths?.post.operationId).toBe(`${action.group}_${action.name}`);
      expect(paths?.post.tags).toEqual([action.group]);
      expect(paths?.get !== undefined, action.name).toBe(!isWrite(action) && !secret);
    }
  });

  test("gives every operation an id of its own", () => {
    const ids = Object.values(api.paths).flatMap((p) => [p.post.operationId, ...(p.get ? [p.get.operationId] : [])]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("asks for a token exactly where the rule does", () => {
    for (const action of ACTIONS) {
      const expected = action.rule === "public" ? [] : [{ bearer: [] }];
      expect(operation(`${action.group}/${action.name}`)?.post.security, action.name).toEqual(expected);
    }
  });

  test("describes the parameters in the body and, for reads, in the query", () => {
    const body = operation("model/entity_create")?.post.requestBody;
    const schema = body?.content["application/json"]?.schema;
    expect(body?.required).toBe(true);
    expect(schema?.required).toEqual(["modelRef", "entityKey"]);
    expect(schema?.properties.entityKey).toMatchObject({ type: "string", pattern: expect.any(String) });
    const query = operation("model/entity_get")?.get?.parameters.filter((p) => p.in === "query");
    expect(query?.map((p) => [p.name, p.required])).toEqual([
      ["modelRef", true],
      ["entityRef", true],
    ]);
    expect(operation("config/inspect_permissions")?.post.requestBody?.required).toBe(false);
  });

  test("offers each control header only where it can apply", () => {
    const controls = (o: Operation | undefined) =>
      o?.parameters.flatMap((p) => (p.$ref ? [p.$ref.slice(p.$ref.lastIndexOf("/") + 1)] : []));
    expect(controls(operation("model/entity_delete")?.post)).toEqual([
      "ifMatch",
      "dryRun",
      "idempotencyKey",
      "requestId",
    ]);
    expect(controls(operation("model/model_create")?.post)).toEqual(["dryRun", "idempotencyKey", "requestId"]);
    expect(controls(operation("model/model_export")?.get)).toEqual(["ifNoneMatch", "requestId"]);
    expect(controls(operation("model/model_list")?.get)).toEqual(["requestId"]);
  });

  test("declares a response for every problem an action may end in", () => {
    for (const action of ACTIONS) {
      const responses = operation(`${action.group}/${action.name}`)?.post.responses ?? {};
      for (const code of describeAction(action).errors) {
        const name = responses[PROBLEMS[code].status]?.$ref?.replace("#/components/responses/", "");
        expect(name?.split("."), `${action.name} ${code}`).toContain(code);
        expect(api.components.responses).toHaveProperty([String(name)]);
      }
    }
  });

  test("promises an entity tag, a next page and a 304 where the service gives them", () => {
    const list = operation("model/entity_list")?.get?.responses;
    expect(Object.keys(list?.["200"]?.headers ?? {})).toEqual(["X-Request-Id", "ETag", "Link"]);
    expect(list).toHaveProperty("304");
    expect(Object.keys(operation("model/model_list")?.post.responses["200"]?.headers ?? {})).not.toContain("ETag");
    expect(operation("model/entity_delete")?.post.responses).not.toHaveProperty("304");
  });
});

describe("the Redocly linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const lint = (name: string, document: string) => {
    const file = join(folder, name);
    writeFileSync(file, document);
    const root = fileURLToPath(new URL("../../", import.meta.url));
    const arguments_ = [join(root, "node_modules/@redocly/cli/bin/cli.js"), "lint", file, "--format=json"];
    return spawnSync(process.execPath, [...arguments_, `--config=${join(root, "redocly.yaml")}`], {
      encoding: "utf8",
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    });
  };

  test("finds nothing to say about it", { timeout: 60_000 }, () => {
    const { status, stdout } = lint("openapi.json", text);
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
    expect(status).toBe(0);
  });

  test("refuses an example that the schema refuses", { timeout: 60_000 }, () => {
    const { status, stdout } = lint("broken.json", text.replaceAll('"modelRef":"key:crm"', '"modelReff":"key:crm"'));
    expect(status).toBe(1);
    expect(stdout).toContain("no-invalid-media-type-examples");
  });
});

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
