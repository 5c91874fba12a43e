import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import { beginCall, NO_CONTROLS, type Runtime, toUnreadPayload } from "../../shared/actions/contract/call.ts";
import { RULES } from "../../shared/actions/describe/describe.ts";
import { answerCall } from "../../shared/actions/pipeline/answer-call.ts";
import { CallContext, type Service } from "../../shared/actions/pipeline/call-context.ts";
import { createUnscopedCallers } from "../../shared/actions/pipeline/caller-rights.ts";
import { createWriteQueue } from "../../shared/actions/pipeline/write-queue.ts";
import type { Principal } from "../../shared/domain/accounts/principal.ts";
import { addImplied, type Permission } from "../../shared/domain/permissions.ts";
import { ACTIONS } from "../support/actions.ts";
import { dispatchNamed, type NamedCall } from "../support/dispatch-named.ts";

/** A port whose every use throws: the actions of this group read definitions, never the store. */
function outOfReach<T extends object>(name: string): T {
  // Every use of it throws, so its type is never relied on.
  return new Proxy({} as T, {
    get: (_, member) => {
      throw new Error(`${name}.${String(member)} was used`);
    },
  });
}

const ambient: Runtime = { now: () => 0, newId: () => "id", random: () => 0, sleep: async () => undefined };
const FACTS = { version: "9.8.7", engine: "an engine", endpoint: "http://127.0.0.1:1", table: "a-table" };
const service: Service = {
  registry: createCatalogue(),
  ambient,
  unscopedCallers: createUnscopedCallers(),
  writeQueue: createWriteQueue(),
  facts: FACTS,
  verification: outOfReach("verification"),
  ports: () => ({
    store: outOfReach("store"),
    jobs: outOfReach("jobs"),
    checks: outOfReach("checks"),
    searches: outOfReach("searches"),
    audit: outOfReach("audit"),
    identity: outOfReach("identity"),
    importer: outOfReach("importer"),
    exporter: outOfReach("exporter"),
    digest: async () => "",
    service: FACTS,
    find: createCatalogue().find,
    listActions: async () => ACTIONS,
  }),
};

const callOf = (name: string): NamedCall => ({
  group: "config",
  name,
  token: undefined,
  payload: toUnreadPayload(undefined),
  controls: NO_CONTROLS,
  channel: "http",
  requestId: "r1",
  deadline: 1_000,
});

type Row = Readonly<Record<string, unknown>>;

/** The answer to a caller with these permissions, checked against the schema the action declares. */
async function answerFor(name: string, held: readonly Permission[] | undefined): Promise<Row> {
  const action = await service.registry.find("config", name);
  const principal: Principal | undefined = held && {
    actorId: "a1",
    issuer: "urn:test",
    subject: "ada",
    fullname: "Ada",
    claimedRoles: [],
    permissions: addImplied(held),
    scopes: [],
  };
  const request = callOf(name);
  const call = beginCall({ ...request, action: `config/${name}`, principal }, ambient);
  const { controls } = request;
  const payload = { path: [], input: {} };
  const answer = await answerCall(
    new CallContext({ service, action, payload, controls, call, ports: service.ports(0) }),
  );
  const checked = z.safeParse(action.output.schema(), answer.body);
  expect(checked.error?.issues ?? []).toEqual([]);
  return answer.body as Row;
}

const items = async (name: string, held?: readonly Permission[]) =>
  (await answerFor(name, held)).items as readonly Row[];

describe("inspect_config", () => {
  test("shows the endpoint and the table to administrators only", async () => {
    const seen = await answerFor("inspect_config", ["model_write"]);
    expect(seen).toMatchObject({ name: "Metaction", version: "9.8.7", engine: "an engine" });
    expect(seen).toHaveProperty("limits.keyCharacters", 128);
    expect(seen).not.toHaveProperty("endpoint");
    expect(seen).not.toHaveProperty("table");
    expect(await answerFor("inspect_config", ["admin"])).toMatchObject({
      endpoint: "http://127.0.0.1:1",
      table: "a-table",
    });
  });

  test("answers any signed-in caller and nobody else", async () => {
    expect(await answerFor("inspect_config", [])).toHaveProperty("version");
    await expect(dispatchNamed(callOf("inspect_config"), service)).rejects.toMatchObject({ code: "not_signed_in" });
  });
});

describe("inspect_actions", () => {
  const refs = async (held?: readonly Permission[]) => (await items("inspect_actions", held)).map((a) => a.actionRef);

  test("lists the actions that the caller's permissions include", async () => {
    expect(await refs()).toEqual(ACTIONS.filter((a) => a.rule === "public").map(refOf));
    const reader = await refs(["model_read"]);
    expect(reader).toContain("model/model_export");
    expect(reader).toContain("config/inspect_config");
    expect(reader).not.toContain("model/entity_create");
    expect(await refs(["model_write"])).toEqual(expect.arrayContaining([...reader, "model/entity_create"]));
    expect(await refs(["admin"])).toEqual(ACTIONS.map(refOf));
  });

  test("has a public counterpart that lists everything", async () => {
    const { body } = await dispatchNamed(callOf("inspect_actions_all"), service);
    expect((body as { items: readonly Row[] }).items.map((a) => a.actionRef)).toEqual(ACTIONS.map(refOf));
  });

  test("lists parameters in order with their type, JSON type and whether they are optional", async () => {
    const row = (await items("inspect_actions_all")).find((a) => a.actionRef === "model/entity_create");
    expect(row).toMatchObject({ securityRule: "model_write", semantics: { intent: "create" } });
    const parameters = row?.parameters as readonly Row[];
    expect(parameters.map((p) => p.order)).toEqual(parameters.map((_, i) => i));
    expect(parameters[0]).toMatchObject({ name: "modelRef", type: "ModelRef", jsonType: "string", optional: false });
    expect(parameters.find((p) => p.name === "description")).toMatchObject({ type: "TextMarkdown", optional: true });
  });
});

test("inspect_permissions lists what each permission implies", async () => {
  const rows = await items("inspect_permissions");
  expect(rows.find((r) => r.id === "model_write")).toMatchObject({ implies: ["model_read"] });
  expect(rows.find((r) => r.id === "admin")?.implies).toHaveLength(rows.length - 1);
});

test("inspect_security_rules lists the rule of every action, sorted by key", async () => {
  const rows = await items("inspect_security_rules");
  expect(rows).toHaveLength(RULES.length);
  const keys = rows.map((r) => String(r.key));
  expect(keys).toEqual([...keys].sort());
  for (const action of ACTIONS) expect(keys).toContain(action.rule);
  expect(rows.find((r) => r.key === "public")?.associatedRequiredPermissions).toEqual([]);
});

test("inspect_type_system lists the JSON form of every type", async () => {
  const rows = await items("inspect_type_system");
  expect(rows.find((r) => r.id === "ModelRef")).toMatchObject({ equivJson: "string" });
  expect(rows.find((r) => r.id === "Boolean")).toMatchObject({ equivJson: "boolean" });
});

function refOf(action: { readonly group: string; readonly name: string }): string {
  return `${action.group}/${action.name}`;
}
