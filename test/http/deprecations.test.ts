import { beforeAll, describe, expect, test } from "vitest";
import { createRegistry } from "../../shared/actions/catalogue.ts";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import { LEAST_DEPRECATION_DAYS } from "../../shared/actions/contract/params.ts";
import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import { describeApi } from "../../shared/http/openapi.ts";
import { createChain } from "../../shared/service/chain.ts";
import { ACTIONS, findAction, roomOf } from "../support/actions.ts";
import { entityShow, entityTouch } from "../support/deprecated-actions.ts";
import { createWorld, type World } from "../support/world.ts";

const EXAMPLE = ["modelRef=key:crm", "entityRef=key:customer"].join("&");
const CUSTOMER = { modelRef: "key:crm", entityRef: "key:customer" };
const names = ["batch/batch_run", "model/entity_get", "model/maintenance_rebuild_caches", "config/inspect_actions_all"];
const registry = createRegistry([roomOf(...names.map(findAction), entityShow, entityTouch)]);

let world: World;
let service: Service;

beforeAll(async () => {
  world = await createWorld();
  const modelKeys = ["crm", "other"];
  for (const key of modelKeys) await world.run("model/model_create", { key, name: key });
  await world.run("model/entity_create", { modelRef: "key:crm", entityKey: "customer" });
  const ports: Service["ports"] = (deadline) => ({
    ...world.service.ports(deadline),
    find: registry.find,
    listActions: registry.list,
  });
  service = { ...world.service, registry, ports };
});

/** Calls an action and returns status, body and the headers of deprecations. */
async function call(name: string, { query = "", body, token = world.people.admin }: Partial<Sent> = {}) {
  const handle = createChain(service, {
    publicUrl: "http://x",
    corsOrigins: ["https://ui.example"],
    log: () => undefined,
  });
  const {
    status,
    headers,
    body: text,
  } = await handle({
    method: body ? "POST" : "GET",
    path: `/api/${name}`,
    query,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
      origin: "https://ui.example",
    },
    body: body && JSON.stringify(body),
  });
  expect(headers["access-control-expose-headers"]).toMatch(/, Deprecation, Sunset$/);
  const { deprecation, sunset, link } = headers;
  return { status, json: JSON.parse(Buffer.from(text).toString("utf8")), found: { deprecation, sunset, link } };
}

interface Sent {
  readonly query: string;
  readonly body: object;
  readonly token: string;
}

const NONE = { deprecation: undefined, sunset: undefined, link: undefined };
const toLink = (name: string) => `</api#/paths/~1api~1model~1${name}>; rel="deprecation"; type="application/json"`;
const toHeaders = (since: string, until: string, link: string) => ({
  deprecation: `@${Date.parse(since) / 1_000}`,
  sunset: until,
  link,
});
const SHOW = toHeaders("2026-02-01", "Mon, 01 Feb 2027 00:00:00 GMT", toLink("entity_show"));
const STRICT = toHeaders("2026-03-01", "Mon, 01 Mar 2027 00:00:00 GMT", toLink("entity_touch"));
const HEADING = toHeaders("2026-01-01", "Tue, 01 Jun 2027 00:00:00 GMT", toLink("entity_touch"));

describe("a call that uses a deprecated name is answered with its days and a link", () => {
  test("an action, also if it fails, but not to a caller who may not run it", async () => {
    expect(await call("model/entity_show", { query: EXAMPLE })).toEqual({
      status: 200,
      json: { key: "customer" },
      found: SHOW,
    });
    const missing = await call("model/entity_show", { body: { ...CUSTOMER, entityRef: "key:none" } });
    expect([missing.status, missing.found]).toEqual([404, SHOW]);
    const { nobody } = world.people;
    for (const [token, status] of [
      ["", 401],
      [nobody, 403],
    ] as const) {
      const refused = await call("model/entity_show", { query: EXAMPLE, token });
      expect([refused.status, refused.found]).toEqual([status, NONE]);
    }
    expect((await call("model/entity_get", { query: EXAMPLE })).found).toEqual(NONE);
  });

  test("a parameter under each of its names, and an alias, in the query and in the body", async () => {
    const touch = async (payload: object) =>
      (await call("model/entity_touch", { body: { ...CUSTOMER, ...payload } })).found;
    expect(await touch({ label: "a" })).toEqual(NONE);
    expect(await touch({ caption: "a" })).toEqual(NONE);
    for (const payload of [{ strict: true }, { firm: true }]) expect(await touch(payload)).toEqual(STRICT);
    expect(await touch({ heading: "a" })).toEqual(HEADING);
    expect((await call("model/entity_touch", { query: `${EXAMPLE}&heading=a` })).found).toEqual(HEADING);
    // The earliest day of each.
    expect(await touch({ heading: "a", strict: true })).toEqual({ ...HEADING, sunset: STRICT.sunset });
  });

  test("entries of a batch, with a link to each action", async () => {
    const toEntry = (action: string, more: object = {}) => ({
      group: "model",
      action,
      payload: { ...CUSTOMER, ...more },
    });
    const run = async (...actions: object[]) => (await call("batch/batch_run", { body: { actions } })).found;
    expect(await run(toEntry("entity_get"), toEntry("entity_touch", { label: "a" }))).toEqual(NONE);
    const both = await run(toEntry("entity_show"), toEntry("entity_touch", { strict: true }), toEntry("entity_show"));
    expect(both).toEqual({ ...SHOW, link: `${SHOW.link}, ${STRICT.link}` });
  });

  test("the former name of repair, after the link to the next page", async () => {
    const { json, found } = await call("model/maintenance_rebuild_caches", { body: { mend: false, limit: 1 } });
    expect(json).toMatchObject({ checked: 1, complete: false });
    expect(found).toMatchObject({ deprecation: "@1795996800", sunset: "Tue, 30 Nov 2027 00:00:00 GMT" });
    expect(found.link).toMatch(
      /^<[^>]*cursor=Y3Jt>; rel="next", <\/api#\/paths\/[^>]*rebuild_caches>; rel="deprecation"/,
    );
    expect((await call("model/maintenance_rebuild_caches", { body: { repair: false } })).found).toEqual(NONE);
  });
});

describe("a deprecation is described", () => {
  // biome-ignore lint/suspicious/noExplicitAny: plain JSON, of which the test names each member
  const describeIt = async (): Promise<any> => describeApi(service, "http://x");

  test("by the OpenAPI document", async () => {
    const { paths, components } = await describeIt();
    const { get, post } = paths["/api/model/entity_show"];
    for (const one of [get, post]) {
      expect(one).toMatchObject({ deprecated: true, "x-sunset": "2027-02-01" });
      expect(one.description).toContain(
        "Deprecated since 2026-02-01: it may be removed from 2027-02-01 on; use `model/entity_get`.",
      );
      expect(one.responses[200].headers).toMatchObject({ Deprecation: {}, Sunset: {} });
    }
    expect(paths["/api/model/entity_get"].get).not.toHaveProperty("deprecated");
    expect(paths["/api/model/entity_get"].get.responses[200].headers).not.toHaveProperty("Deprecation");
    const { label, strict } = components.schemas.EntityTouchInput.properties;
    expect(label).toMatchObject({ "x-aliases": ["caption", "heading"], "x-deprecated-aliases": ["heading"] });
    expect(label.description).toContain(
      "Also accepted as caption. The alias heading is deprecated since 2026-01-01 and may be",
    );
    expect(strict).toMatchObject({ deprecated: true, "x-sunset": "2027-03-01" });
    expect(label).not.toHaveProperty("deprecated");
  });

  test("by inspect_actions", async () => {
    const { json } = await call("config/inspect_actions_all");
    const rowOf = (name: string) => json.items.find((row: { actionRef: string }) => row.actionRef === `model/${name}`);
    expect(rowOf("entity_show").deprecated).toEqual(entityShow.deprecated);
    expect(rowOf("entity_get")).not.toHaveProperty("deprecated");
    const [, , label, strict] = rowOf("entity_touch").parameters;
    expect(label.deprecatedAliases).toEqual([{ name: "heading", since: "2026-01-01", until: "2027-06-01" }]);
    expect([label.deprecated, strict.deprecated]).toEqual([
      undefined,
      { since: "2026-03-01", until: "2027-03-01", use: "label" },
    ]);
  });
});

test(`every deprecated name of the service is accepted for at least ${LEAST_DEPRECATION_DAYS} days`, () => {
  const all = ACTIONS.flatMap((action) => [
    action.deprecated,
    ...Object.values(getAllParams(action)).flatMap((one) => [
      one.deprecated,
      ...Object.values(one.deprecatedAliases ?? {}),
    ]),
  ]).filter((one) => one !== undefined);
  expect(all.length).toBeGreaterThan(0);
  for (const { since, until } of all) {
    for (const day of [since, until]) expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
    expect((Date.parse(until) - Date.parse(since)) / 86_400_000).toBeGreaterThanOrEqual(LEAST_DEPRECATION_DAYS);
  }
});
