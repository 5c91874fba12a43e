import { beforeEach, describe, expect, test } from "vitest";
import { isWrite } from "../../shared/actions/contract/action.ts";
import { describeAction } from "../../shared/actions/describe/describe.ts";
import { PROBLEMS, Problem } from "../../shared/domain/problems.ts";
import { batchEntries } from "../../shared/domain/values/batch-types.ts";
import { parseControls } from "../../shared/http/read-call.ts";
import { ACTIONS, findAction } from "../support/actions.ts";
import { apiDocument } from "../web/support/described-service.ts";

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
  readonly info: { readonly version: string; readonly description: string; readonly license: unknown };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly security: unknown;
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post: Operation }>>;
  readonly components: {
    readonly responses: Readonly<Record<string, unknown>>;
    readonly securitySchemes: unknown;
    readonly schemas: Readonly<Record<string, Body>>;
    readonly parameters: Readonly<Record<string, { readonly schema: { readonly pattern?: string } }>>;
  };
}

let text: string;
let api: Document;
const operation = (name: string) => api.paths[`/api/${name}`];

// For each test, so that mutation testing sees which tests run the code.
beforeEach(async () => {
  // The document is plain JSON of this shape; test/shape/openapi-lint.test.ts checks the whole of it.
  api = (await apiDocument("9.8.7")) as Document;
  text = JSON.stringify(api);
});

describe("the OpenAPI document", () => {
  test("has its version, its licence, its server without a slash at the end, and the rules of every call", () => {
    expect([api.openapi, api.info.version]).toEqual(["3.1.0", "9.8.7"]);
    // No schema can say the rule, so the description does; test/http/read-body.test.ts tests the refusal.
    expect(api.info.description).toContain("`__proto__` or `constructor.prototype`");
    expect(api.servers).toEqual([{ url: "https://metadata.test" }]);
    expect(api.info.license).toEqual({ name: "Apache License 2.0", identifier: "Apache-2.0" });
    const bearer = { type: "http", scheme: "bearer", bearerFormat: "JWT", description: expect.any(String) };
    expect([api.components.securitySchemes, api.security]).toEqual([{ bearer }, [{ bearer: [] }]]);
    expect(text).not.toContain('"required":[]');
    expect(text).toMatch(/"x-aliases":\["/);
    expect(api.tags.map(({ name }) => name)).toEqual([...new Set(ACTIONS.map(({ group }) => group))]);
    const empty = [...schemasIn(api, "")].filter(([, schema]) => Object.keys(schema).length === 0);
    const anyExamples = ["Constraints", "ConstraintsAnswer"].map(
      (name) => `/components/schemas/${name}/properties/examples/items`,
    );
    expect(empty.map(([place]) => place)).toEqual(anyExamples);
    expect(Object.keys(api.components.responses)).toEqual(Object.keys(api.components.responses).sort());
  });

  test("has one path per action, with POST always and GET for reads", () => {
    expect(Object.keys(api.paths)).toEqual(ACTIONS.map((a) => `/api/${a.group}/${a.name}`));
    for (const action of ACTIONS) {
      const paths = operation(`${action.group}/${action.name}`);
      expect(paths?.post.tags).toEqual([action.group]);
      for (const parameter of paths?.post.parameters ?? []) expect(parameter).toBeTypeOf("object");
      if (isWrite(action)) expect(paths?.get, action.name).toBeUndefined();
      if (action.intent === "read") expect(paths?.get, action.name).toBeDefined();
    }
    const neither = ACTIONS.filter((a) => a.intent === "other" && !operation(`${a.group}/${a.name}`)?.get);
    expect(neither.map((a) => `${a.group}/${a.name}`)).toEqual([
      ...["model/run_begin", "model/maintenance_rebuild_caches", "tag/maintenance_rebuild_caches"],
      ...["auth/admin_bootstrap", "auth/login", "batch/job_cancel"],
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
    const entry = api.components.schemas.BatchEntry;
    expect(entry?.properties.payload).toEqual({ type: "object", additionalProperties: true });
    expect(entry?.required).toEqual(["group", "action"]);
    expect(text).not.toContain('"type":["object","null"]');
    const entries = [{ group: "model", action: "model_list", payload: null }];
    expect(batchEntries.schema().parse(entries)).toEqual([{ ...entries[0], payload: {} }]);
  });

  test("has each control header only where it applies", () => {
    const controls = (o: Operation | undefined) =>
      o?.parameters.flatMap((p) => (p.$ref ? [p.$ref.slice(p.$ref.lastIndexOf("/") + 1)] : []));
    const ofWrite = ["ifMatch", "dryRun", "idempotencyKey", "requestId", "run"];
    expect(controls(operation("model/entity_delete")?.post)).toEqual(ofWrite);
    expect(controls(operation("tag/tag_group_create")?.post)?.[0]).toBe("ifMatchOfTags");
    expect(controls(operation("auth/role_create")?.post)?.[0]).toBe("ifMatchOfIdentity");
    expect(controls(operation("batch/batch_run")?.post)?.[0]).toBe("ifMatchOfEach");
    expect(controls(operation("model/model_create")?.post)).toEqual(ofWrite.slice(1));
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
  const listSchemas = () => [...schemasIn(api, "")];

  test("every object with members is its own component", () => {
    const schemas = listSchemas();
    const places = schemas.filter(([, schema]) => schema.properties !== undefined).map(([place]) => place);
    expect(places.length).toBeGreaterThan(200);
    expect(places.filter((place) => !/^\/components\/schemas\/[A-Z][A-Za-z]*$/.test(place))).toEqual([]);
    const written = schemas.filter(([, { $ref }]) => /^#\/components\/schemas\/(Written|Deleted)$/.test(String($ref)));
    expect(written.length).toBeGreaterThan(90);
  });

  test("no schema has keywords that many generators do not support", () => {
    const unread = listSchemas().filter(([, schema]) => {
      const { type, pattern, anyOf, allOf } = schema;
      const isUnread = type === "null" || "const" in schema || "propertyNames" in schema || anyOf || allOf;
      if (JSON.stringify(schema.additionalProperties) === "{}") return true;
      return isUnread || /\\p|\(\?[=!<]/i.test(String(pattern));
    });
    expect(unread.map(([place]) => place)).toEqual([]);
    for (const { get, post } of Object.values(api.paths))
      for (const p of [...(get?.parameters ?? []), ...post.parameters]) expect(p).not.toHaveProperty("content");
  });

  test("answers are open to members and values of later versions, and requests are closed", () => {
    const { paths, components } = api;
    const answers = Object.values(paths).flatMap(({ get, post }) => [get?.responses, post.responses]);
    const [open, closed] = [answers, components.responses].map((one) => reachableFrom(one)) as [
      Set<string>,
      Set<string>,
    ];
    for (const name of closed) open.add(name);
    const requests = reachableFrom(Object.values(paths).map(({ post }) => post.requestBody));
    expect([...open].filter((name) => requests.has(name))).toEqual([]);
    const found = (names: ReadonlySet<string>, keyword: string) =>
      [...names].flatMap((name) =>
        [...schemasIn(components.schemas[name], `/schemas/${name}`)].filter(([, s]) => keyword in s),
      );
    const constants = new Set(found(open, "enum").flatMap(([, schema]) => [schema.enum].flat()));
    expect([...constants].sort()).toEqual(["Bearer", "accepted", "ok"]);
    expect(found(open, "additionalProperties").filter(([, s]) => s.additionalProperties === false)).toEqual([]);
    expect(found(open, "x-extensible-enum").length).toBeGreaterThan(40);
    for (const [place, { type, "x-extensible-enum": values }] of found(open, "x-extensible-enum"))
      expect([place, type, Array.isArray(values)]).toEqual([place, "string", true]);
    expect(found(requests, "x-extensible-enum")).toEqual([]);
    const inputs = [...requests].filter((name) => name.endsWith("Input")).map((name) => components.schemas[name]);
    expect(inputs.length).toBeGreaterThan(150);
    for (const input of inputs) expect(input).toMatchObject({ type: "object", additionalProperties: false });
    expect(api.info.description).toContain("`x-extensible-enum`");
  });

  test("an answer has one media type, so that it has one type", () => {
    for (const { get, post } of Object.values(api.paths)) {
      for (const { responses } of get ? [get, post] : [post])
        expect(Object.keys(responses["200"]?.content ?? {})).toHaveLength(1);
    }
  });

  test("a list or an object in the query is a string of JSON text", () => {
    const findParameter = (of: string) => operation("model/search")?.get?.parameters.find(({ name }) => name === of);
    expect(findParameter("models")).toMatchObject({ schema: expect.not.objectContaining({ minLength: 1 }) });
    expect(findParameter("filters")).toMatchObject({
      schema: { type: "string", contentMediaType: "application/json", minLength: 1 },
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

describe("an operation, without its texts, is that of", () => {
  const toRef = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
  const toHeaders = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).map(([header, name]) => [header, toRef("headers", name)]));
  const toContent = (schema: string) => ({ "application/json": { schema: toRef("schemas", schema) } });
  const toBody = (schema: string, required: boolean, example: object) => ({
    ...{ required, content: { "application/json": { ...toContent(schema)["application/json"], example } } },
  });
  const toProblems = (...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name.slice(0, 3), toRef("responses", name)]));
  const EVERY_CALL = ["400.bad_request.bad_parameters.bad_precondition", "406.not_acceptable", "414.query_too_long"];
  const NO_SUCCESS = ["415.unsupported_media_type", "421.wrong_host", "429.throttled", "500.internal"];
  const MAY_FAIL = [...EVERY_CALL, ...NO_SUCCESS, "503.unavailable.newer_format", "504.out_of_time"];
  const SIGNED_IN = ["401.not_signed_in", "403.not_allowed.actor_disabled", "404.not_found"];

  test("a write that may become a job", () => {
    expect(withoutTexts(operation("model/import"))).toEqual({
      post: {
        operationId: "modelImport",
        tags: ["model"],
        security: [{ bearer: [] }],
        "x-intent": "create",
        parameters: ["ifMatchOfEach", "dryRun", "idempotencyKey", "requestId", "run"].map((name) =>
          toRef("parameters", name),
        ),
        requestBody: toBody("ModelImportInput", false, describeAction(findAction("model/import")).example),
        responses: {
          200: {
            headers: toHeaders({ "X-Request-Id": "requestId", ETag: "etag", "Idempotency-Replayed": "replayed" }),
            content: toContent("ModelImportAnswer"),
          },
          202: {
            headers: toHeaders({
              "X-Request-Id": "requestId",
              Location: "location",
              Link: "status",
              "Retry-After": "retryAfter",
            }),
            content: toContent("Accepted"),
          },
          ...toProblems(
            ...[...MAY_FAIL, ...SIGNED_IN, "409.key_taken.merge_conflict.contention", "412.precondition_failed"],
            ...["413.too_large", "422.source_not_recognised.invalid_content.idempotency_key_reused"],
          ),
        },
      },
    });
    expect(withoutTexts(api.components.schemas.Accepted)).toEqual({
      type: "object",
      properties: { status: { type: "string", enum: ["accepted"] }, job: { type: "string" } },
      required: ["status", "job"],
    });
  });

  test("a list of objects of a model, with GET first", () => {
    const shared = { tags: ["model"], security: [{ bearer: [] }], "x-intent": "read" };
    const { modelRef, limit, cursor, expand } = api.components.schemas.EntityListInput?.properties ?? {};
    const toParameter = (name: string, schema: object | undefined, required: boolean) => {
      const { "x-type": type, ...members } = withoutTexts(schema) as Readonly<Record<string, unknown>>;
      expect(type, name).toBeDefined();
      return { name, in: "query", required, schema: members };
    };
    const headers = { "X-Request-Id": "requestId", ETag: "etag" };
    const responses = {
      200: { headers: toHeaders({ ...headers, Link: "link" }), content: toContent("EntityListAnswer") },
      304: { headers: toHeaders(headers) },
      ...toProblems(...MAY_FAIL, ...SIGNED_IN, "413.too_large.result_too_large"),
    };
    const controls = ["ifNoneMatch", "requestId"].map((name) => toRef("parameters", name));
    expect(withoutTexts(operation("model/entity_list"))).toEqual({
      get: {
        ...shared,
        operationId: "entityList",
        parameters: [
          { ...toParameter("modelRef", modelRef, true), example: "key:crm" },
          toParameter("limit", limit, false),
          toParameter("cursor", cursor, false),
          toParameter("expand", expand, false),
          ...controls,
        ],
        responses,
      },
      post: {
        ...shared,
        operationId: "entityListByPost",
        parameters: controls,
        requestBody: toBody("EntityListInput", true, { modelRef: "key:crm" }),
        responses,
      },
    });
    const input = { type: "object", required: ["modelRef"], additionalProperties: false };
    expect(withoutTexts(api.components.schemas.EntityListInput)).toMatchObject(input);
  });

  test("a call of anyone without parameters", () => {
    const post = {
      operationId: "inspectPermissionsByPost",
      tags: ["config"],
      security: [],
      "x-intent": "other",
      parameters: [toRef("parameters", "requestId")],
      responses: {
        200: { headers: toHeaders({ "X-Request-Id": "requestId" }), content: toContent("InspectPermissionsAnswer") },
        ...toProblems(...MAY_FAIL, "413.too_large"),
      },
    };
    const expected = { get: { ...post, operationId: "inspectPermissions" }, post };
    expect(withoutTexts(operation("config/inspect_permissions"))).toEqual(expected);
  });
});

describe("the answer of a problem", () => {
  test("has the meaning of each code, and the headers that come with its status", () => {
    const responses = Object.entries(api.components.responses);
    expect(responses.length).toBeGreaterThan(30);
    for (const [name, response] of responses) {
      const [status, ...codes] = name.split(".") as [string, ...(keyof typeof PROBLEMS)[]];
      const headers = [
        "X-Request-Id",
        ...(codes.some((code) => PROBLEMS[code].retryable) ? ["Retry-After"] : []),
        ...(status === "429" ? ["RateLimit", "RateLimit-Policy"] : []),
        ...(["401", "403"].includes(status) ? ["WWW-Authenticate"] : []),
      ];
      const { description, headers: described, content } = response as Readonly<Record<string, object>>;
      expect(description, name).toBe(codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n"));
      expect(Object.keys(described ?? {}), name).toEqual(headers);
      const problem = { schema: { $ref: "#/components/schemas/Problem" } };
      expect(content, name).toEqual({ "application/problem+json": problem });
    }
  });

  test("has these members, of which eight are always present", () => {
    const text = { type: "string" };
    const integer = (least?: number) => ({ type: "integer", ...(least !== undefined && { minimum: least }) });
    const listOf = (items: object) => ({ type: "array", items });
    const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const texts = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, text]));
    const toObject = (required: string, properties: object) => ({
      ...{ type: "object", required: required.split(" "), properties },
    });
    const expected = {
      Problem: toObject("type title status detail instance code requestId retryable", {
        ...texts("title detail instance requestId plan"),
        ...{ type: { type: "string", format: "uri" }, status: { ...integer(400), maximum: 599 } },
        ...{ code: { type: "string", "x-extensible-enum": Object.keys(PROBLEMS) }, retryable: { type: "boolean" } },
        ...{ errors: listOf(refTo("Fault")), changesSince: listOf(refTo("Commit")), currentRevision: integer() },
        ...{
          conflicts: listOf(refTo("Conflict")),
          conflictCount: integer(1),
          entry: integer(1),
          retryAfter: integer(0),
        },
      }),
      Fault: toObject("pointer detail", texts("pointer detail")),
      Commit: toObject("revision time actions objects", {
        ...{ revision: integer(), time: { type: "string", format: "date-time" }, actor: text },
        ...{ actions: listOf(text), objects: listOf(text) },
      }),
      Conflict: toObject("objectType ref member base ours theirs", {
        ...{ ...texts("objectType ref"), member: { type: ["string", "null"] }, base: {}, ours: {}, theirs: {} },
      }),
    };
    for (const [name, schema] of Object.entries(expected))
      expect(withoutTexts(api.components.schemas[name]), name).toEqual(schema);
  });
});

/** The names of the schemas that a part of the document leads to. */
function reachableFrom(part: unknown, found = new Set<string>()): Set<string> {
  const names = JSON.stringify(part ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  for (const [, name = ""] of names) {
    if (found.has(name)) continue;
    found.add(name);
    reachableFrom(api.components.schemas[name], found);
  }
  return found;
}

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([member, text]) => !isText(member, text));
  return Object.fromEntries(members.map(([member, inner]) => [member, withoutTexts(inner)]));
}

const isText = (member: string, value: unknown) =>
  typeof value === "string" && (member === "description" || member === "summary");

function* schemasIn(value: unknown, place: string): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  const isSchema = /\/(schema|items|additionalProperties|oneOf\/\d+|(properties|schemas)\/\w+)$/.test(place);
  if (isSchema) yield [place, value as Record<string, unknown>];
  for (const [member, inner] of Object.entries(value)) {
    if (member !== "example" && member !== "enum") yield* schemasIn(inner, `${place}/${member.replaceAll("/", "~1")}`);
  }
}
