import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAgentGuide } from "../../shared/actions/config/agent-guide.ts";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import type { Job } from "../../shared/actions/contract/jobs.ts";
import { formatAccepted } from "../../shared/actions/pipeline/commit-decision.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { SOURCE_FORMAT_NAMES } from "../../shared/domain/values/source-formats.ts";
import { listMethods, parseRoute } from "../../shared/http/request.ts";
import { ACTIONS } from "../support/actions.ts";
import { createWorld } from "../support/world.ts";
import { openLocalTransport, type Received, type Sent, type Transport } from "./support/transports.ts";

const LITERALS = [
  ...["null", '""', '{"items": [...]}', '"<model id>-<revision>"', 'rel="next"', "METACTION_ALLOWED_HOSTS"],
  ...["id:<uuid>", "key:<key>", "key:<group>/<tag>", "key:<tag>", "$1.id"],
];

const STANDARD = ["Authorization", "Content-Type", "Accept"];

const JOB: Job = { id: "j", action: "a", actor: "a", state: "accepted", accepted: "", progress: { done: 0, total: 1 } };

let transport: Transport;
let token: string;
let guide: string;
let known: ReadonlySet<string>;

const send = (sent: Sent): Promise<Received> => transport.send(sent);

beforeAll(async () => {
  const world = await createWorld();
  transport = await openLocalTransport(world.service, () => undefined);
  token = world.people.admin;
  guide = (await send({ target: "/api/config/ai_agents_instructions" })).text;
  known = new Set([
    ...ACTIONS.map(({ group, name }) => `${group}/${name}`),
    ...ACTIONS.flatMap((action) =>
      Object.entries(getAllParams(action)).flatMap(([name, { aliases }]) => [name, ...aliases]),
    ),
    ...Object.keys(PROBLEMS),
    ...namesIn((await send({ target: "/api" })).json),
    ...Object.keys(formatAccepted(JOB).body as object),
    ...STANDARD,
    ...LITERALS,
    // The media type of a problem document.
    String((await send({ target: "/api/no/such" })).headers["content-type"]),
  ]);
});

afterAll(() => transport.close());

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]): readonly string[] => {
    const own = ["properties", "headers"].includes(member) ? Object.keys(inner ?? {}) : [];
    const constants = ["enum", "x-extensible-enum", "const"].includes(member) ? [inner].flat().map(String) : [];
    const header = member === "name" && typeof inner === "string" ? [inner] : [];
    return [...own, ...constants, ...header, ...namesIn(inner)];
  });
}

const codeSpans = (markdown: string): readonly string[] =>
  [...markdown.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** True for the name of something there is, a path that leads somewhere, or a header with a value. */
function exists(code: string): boolean {
  if (known.has(code)) return true;
  const [, method, path] = /^(?:([A-Z]+)(?: |$))?(\/\S*)?$/.exec(code) ?? [];
  const route = parseRoute((path ?? "/api/g/a").replace("<group>", "g").replace("<action>", "a"));
  if (method !== undefined || path !== undefined)
    return route !== undefined && (method === undefined || listMethods(route).includes(method));
  const header = /^([A-Z][A-Za-z-]+): \S/.exec(code)?.[1];
  return header !== undefined && known.has(header);
}

/** The examples, as they go over the wire, with the newest entity tag in the place of its placeholder. */
const requests = (markdown: string): readonly ((etag: string) => Sent)[] =>
  [...markdown.matchAll(/^```http\n([\s\S]*?)\n```$/gm)].map(([, text = ""]) => (etag) => {
    const [head = "", ...body] = text.split("\n\n");
    const [line = "", ...headers] = head.split("\n");
    const [method = "", target = ""] = line.split(" ");
    const pairs = headers.map((header): [string, string] => {
      const [name = "", value = ""] = header.split(/: (.*)/);
      return [name, value.replace('"<model id>-<revision>"', etag)];
    });
    const type = body.length > 0 ? { "content-type": "application/json" } : {};
    return {
      method,
      target,
      headers: { authorization: `Bearer ${token}`, ...type, ...Object.fromEntries(pairs) },
      ...(body.length > 0 && { body: body.join("\n\n") }),
    };
  });

describe("the guide for agents", () => {
  test("is Markdown as plain text, without a token", async () => {
    const { status, headers, text } = await send({ target: "/api/config/ai_agents_instructions" });
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(/^# Metaction for agents\n/);
    expect(text.split("\n").filter((line) => line.startsWith("```"))).toHaveLength(2 * requests(text).length);
  });

  test("names only actions, parameters, members, headers, codes and paths that exist", () => {
    const spans = codeSpans(guide);
    expect(spans.length).toBeGreaterThan(80);
    const asked = [
      "model/search",
      "model/model_compare",
      "model/model_apply",
      "model/history_versions",
      "model/type_list",
    ];
    expect(spans).toEqual(expect.arrayContaining([...asked, ...SOURCE_FORMAT_NAMES]));
    expect(spans.filter((code) => !exists(code))).toEqual([]);
  });

  test("is tested for names that do not exist", () => {
    const wrong = ["model/entity_remove", "entityReff", "If-Matched: x", "GET /apis", "DELETE /api", "no_such_code"];
    expect(wrong.filter(exists)).toEqual([]);
  });

  test("has every problem code once in its table, with its status and a remedy", () => {
    const rows = [...guide.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)];
    const listed = rows.map(([, status, code]) => [code, Number(status)]);
    expect(listed).toEqual(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]));
    for (const [, , code, remedy = ""] of rows) expect(remedy.length, code).toBeGreaterThan(10);
  });

  test("has examples that work in their order, and its dry run changes nothing", async () => {
    let etag = "";
    const examples = requests(guide);
    expect(examples.length).toBeGreaterThanOrEqual(4);
    for (const example of examples) {
      const sent = example(etag);
      const { status, headers, text } = await send(sent);
      expect(status, `${sent.method} ${sent.target}: ${text}`).toBe(200);
      etag = headers.etag ?? etag;
    }
    const headers = { authorization: `Bearer ${token}` };
    const { json } = await send({ target: "/api/model/model_export?modelRef=key:offices", headers });
    const offices = json.entities.find(({ key }: { key: string }) => key === "offices");
    expect(offices.attributes.map(({ key }: { key: string }) => key)).toEqual(["code", "city", "phone"]);
  });

  test("mentions optional actions only if they are available", () => {
    const [none, all] = [createAgentGuide(() => false), createAgentGuide(() => true)];
    for (const path of ["batch/batch_run", "model/model_release"]) {
      expect(none).not.toContain(path);
      expect(all).toContain(path);
      expect(guide.includes(path), path).toBe(ACTIONS.some(({ group, name }) => `${group}/${name}` === path));
    }
  });
});
