import { describe, expect, test } from "vitest";
import { readIssuers } from "../../shared/identity/issuers/configuration.ts";
import { BOOTSTRAP_SECRET, type Body, createWorld } from "../support/world.ts";
import { LISTED } from "./support/calls.ts";
import { useWorld } from "./support/checked-world.ts";
import { firstStart } from "./support/first-start.ts";

const world = useWorld();

const asAnyone = async (action: string): Promise<Body> => (await world.okAs(undefined, `config/${action}`)).body;

describe("inspect_config", () => {
  test("needs only a valid token", async () => {
    const { nobody } = world.people;
    const { body } = await world.okAs(nobody, "config/inspect_config");
    expect(body).toMatchObject({ name: "Metaction", version: "0.0.0-test", engine: "test" });
    expect(body.limits).toMatchObject({ keyCharacters: 128, nameCharacters: 200, descriptionBytes: 100_000 });
    expect((await world.problem("config/inspect_config", {}, undefined)).code).toBe("not_signed_in");
    expect((await world.problem("config/inspect_config", {}, "a.b.c")).code).toBe("not_signed_in");
  });

  test("shows the endpoint and the table to administrators only", async () => {
    const { manager, reader, nobody } = world.people;
    const place = { endpoint: "http://endpoint.example", table: "test" };
    expect(await world.read("config/inspect_config")).toMatchObject(place);
    for (const caller of [manager, reader, nobody]) {
      const { body } = await world.okAs(caller, "config/inspect_config");
      expect(body).not.toHaveProperty("endpoint");
      expect(body).not.toHaveProperty("table");
      expect(JSON.stringify(body)).not.toContain("endpoint.example");
    }
  });
});

describe("sign_in_options", () => {
  const POOL = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123def";
  const waysWith = async (configuration: object): Promise<Body> => {
    const { answer } = await createWorld({ issuers: readIssuers(JSON.stringify(configuration)) });
    return (await answer("config/sign_in_options", {}, undefined)).body;
  };

  test("answers without a token whether built-in sign-in is available, and whether the first administrator is missing", async () => {
    const { run } = await firstStart();
    const built = { passwordIssuer: "urn:metaction:users", issuers: [] };
    expect(await run("config/sign_in_options", {})).toEqual({ ...built, firstRun: true });
    const first = { username: "ada", fullname: "Ada", password: "Violet-Harbor-7-Lantern", secret: BOOTSTRAP_SECRET };
    await run("auth/admin_bootstrap", first);
    expect(await run("config/sign_in_options", {})).toEqual({ ...built, firstRun: false });
    expect(await run("config/sign_in_options", {}, "no.valid.token")).toEqual({ ...built, firstRun: false });
  });

  test("answers the browser's sign-in providers in order, and nothing else of their configuration", async () => {
    const resource = "https://metaction.example/api";
    const ways = await waysWith({
      issuers: [
        { issuer: "https://machines.example", audiences: ["hidden-audience"] },
        {
          ...{ issuer: "https://id.example/realms/one", audiences: ["hidden-audience"], rolesClaim: "hidden-claim" },
          signIn: {
            ...{ clientId: "web", label: "Acme", scopes: ["openid", "api"], resource },
            origins: ["https://hidden.example"],
          },
        },
        { issuer: "https://other.example", clientIds: ["w"], signIn: { clientId: "w" } },
        { issuer: POOL, preset: "cognito", clientIds: ["hidden-client"] },
      ],
      login: { cognito: { issuer: POOL, clientId: "hidden-client", clientSecret: "hidden-secret" } },
    });
    const acme = { issuer: "https://id.example/realms/one", label: "Acme", clientId: "web", scopes: ["openid", "api"] };
    const other = { issuer: "https://other.example", label: "other.example", clientId: "w", scopes: ["openid"] };
    expect(ways).toMatchObject({ passwordIssuer: POOL, issuers: [{ ...acme, resource }, other] });
    expect(Object.keys(ways.issuers[1])).toEqual(["issuer", "label", "clientId", "scopes"]);
    expect(JSON.stringify(ways)).not.toContain("hidden");
  });
});

describe("inspect_config_text", () => {
  const textFor = async (caller: string | undefined): Promise<string> =>
    (await world.okAs(caller, "config/inspect_config_text")).body;

  test("has the same content as inspect_config for the same caller", async () => {
    const { admin, reader, nobody } = world.people;
    for (const caller of [admin, reader, nobody]) {
      const { limits, ...facts } = (await world.okAs(caller, "config/inspect_config")).body;
      const lines = (await textFor(caller)).split("\n").filter((line) => line !== "" && line !== "limits");
      const said = lines.map((line) => /^ *(\S+) +(.+)$/.exec(line)?.slice(1));
      expect(said).toEqual(Object.entries({ ...facts, ...limits }).map(([name, value]) => [name, String(value)]));
    }
    expect(await textFor(reader)).not.toContain("endpoint");
    expect(await textFor(admin)).toContain("http://endpoint.example");
  });

  test("aligns the values of each part in one column", async () => {
    const [facts = "", limits = ""] = (await textFor(world.people.admin)).split("\n\nlimits\n");
    for (const part of [facts, limits]) {
      const columns = part
        .split("\n")
        .filter(Boolean)
        .map((line) => /^ *\S+ +/.exec(line)?.[0].length);
      expect(columns.length).toBeGreaterThan(3);
      expect(new Set(columns).size).toBe(1);
    }
  });
});

describe("inspect_actions_all", () => {
  test("lists every action without a token, with its rule and its parameters in order", async () => {
    const { items } = await asAnyone("inspect_actions_all");
    expect(items.map((a: Body) => a.actionRef)).toEqual(LISTED.map(({ path }) => path));
    const create = items.find((a: Body) => a.actionRef === "model/entity_attribute_create");
    expect(create).toMatchObject({ securityRule: "model_write", semantics: { intent: "create" } });
    expect(create.parameters.map((p: Body) => [p.name, p.type, p.jsonType, p.optional, p.order])).toEqual([
      ["modelRef", "ModelRef", "string", false, 0],
      ["entityRef", "EntityRef", "string", false, 1],
      ["attributeKey", "AttributeKey", "string", false, 2],
      ["type", "TypeRef", "string", false, 3],
      ["optional", "Boolean", "boolean", false, 4],
      ["name", "TextSingleLine", "string", true, 5],
      ["description", "TextMarkdown", "string", true, 6],
      ["constraints", "Constraints", "object", true, 7],
    ]);
    expect(create.semantics.subjects).toEqual([
      { type: "entity_attribute", referencingParams: [{ name: "attributeKey", kind: "key" }] },
    ]);
  });

  test("names only types, rules and subjects that exist", async () => {
    const { items } = await asAnyone("inspect_actions_all");
    const types = new Set((await asAnyone("inspect_type_system")).items.map((t: Body) => t.id));
    const rules = new Set((await asAnyone("inspect_security_rules")).items.map((r: Body) => r.key));
    for (const action of items) {
      expect(rules, action.actionRef).toContain(action.securityRule);
      for (const { type, jsonType } of action.parameters) {
        const list = /^List<(.*)>$/.exec(type);
        expect(types, `${action.actionRef} ${type}`).toContain(list?.[1] ?? type);
        if (list) expect(jsonType, `${action.actionRef} ${type}`).toBe("array");
      }
    }
  });
});

test("inspect_actions lists exactly the actions that the caller may run", async () => {
  const namesFor = async (caller: string | undefined): Promise<string[]> =>
    (await world.okAs(caller, "config/inspect_actions")).body.items.map((a: Body) => a.actionRef);
  const { admin, manager, reader, nobody } = world.people;
  const ruled = (...rules: string[]) => LISTED.filter((l) => rules.includes(l.action.rule)).map((l) => l.path);
  expect(await namesFor(undefined)).toEqual(ruled("public"));
  expect(await namesFor(nobody)).toEqual(ruled("public", "signed_in"));
  expect(await namesFor(reader)).toEqual(ruled("public", "signed_in", "model_read"));
  expect(await namesFor(manager)).toEqual(LISTED.filter((l) => l.action.rule !== "admin").map((l) => l.path));
  expect(await namesFor(admin)).toEqual(LISTED.map((l) => l.path));
  const { token } = await world.run("auth/token_create", { name: "Looks" });
  const forTokens = LISTED.filter((l) => (l.action.apiTokens ?? "allowed") !== "refused").map((l) => l.path);
  expect(forTokens.length).toBeLessThan(LISTED.length);
  expect(await namesFor(token)).toEqual(forTokens);
});

test("inspect_permissions lists every permission with the permissions that it implies", async () => {
  const { items } = await asAnyone("inspect_permissions");
  const { admin, ...others } = Object.fromEntries(items.map((p: Body) => [p.id, p.implies]));
  expect([...admin].sort()).toEqual(Object.keys(others).sort());
  const reading = ["model_read"];
  const writing = ["model_write"];
  expect(others).toEqual({
    ...{ model_write: reading, model_delete: reading, model_release: reading, model_update_authority: reading },
    ...{ model_create_manual: writing, model_copy: writing, model_import: writing },
    ...{ model_read: [], tag_local_manage: [], tag_global_manage: [], tag_group_manage: [], property_manage: [] },
  });
});

test("inspect_security_rules lists one rule for public actions, one for signed-in callers and one per permission, sorted by key", async () => {
  const { items } = await asAnyone("inspect_security_rules");
  const keys = items.map((r: Body) => r.key);
  expect(keys).toEqual([...keys].sort());
  const permissions = (await asAnyone("inspect_permissions")).items.map((p: Body) => p.id);
  expect([...keys].sort()).toEqual([...permissions, "public", "signed_in"].sort());
  for (const { key, associatedRequiredPermissions } of items)
    expect(associatedRequiredPermissions).toEqual(["public", "signed_in"].includes(key) ? [] : [key]);
});

test("inspect_type_system lists each type once, with its JSON form and a description of its rules", async () => {
  const { items } = await asAnyone("inspect_type_system");
  const ids = items.map((t: Body) => t.id);
  expect(new Set(ids).size).toBe(ids.length);
  const texts = { ModelKey: "string", ModelRef: "string" };
  const forms = { ...texts, Boolean: "boolean", SourceContent: "any", Constraints: "object" };
  expect(Object.fromEntries(items.map((t: Body) => [t.id, t.equivJson]))).toMatchObject(forms);
  for (const { id, description } of items) expect(description.length, id).toBeGreaterThan(10);
});
