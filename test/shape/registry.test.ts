import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  ACTION_MODULES,
  type ActionModule,
  createCatalogue,
  createRegistry,
  PLURALS,
} from "../../shared/actions/catalogue.ts";
import type { Action } from "../../shared/actions/contract/action.ts";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import { RULES } from "../../shared/actions/describe/describe.ts";
import { readPayload } from "../../shared/actions/pipeline/read-payload.ts";
import { ALL_PERMISSIONS } from "../../shared/domain/permissions.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { ACTIONS, roomOf } from "../support/actions.ts";

const EVERY = ACTIONS.map((action) => ({ path: `${action.group}/${action.name}`, action }));
const words = (text: string) => text.trim().split(/\s+/).length;

describe("the catalogue", () => {
  test("has each name once, in lower case with underscores", () => {
    const names = EVERY.map(({ path }) => path);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names)
      expect(name).toMatch(/^(model|tag|property|auth|config|batch|database)\/[a-z]+(_[a-z]+)*$/);
  });

  test("refuses a second action of a name", async () => {
    const twice = createRegistry([...ACTION_MODULES, roomOf(...ACTIONS.slice(0, 1))]);
    await expect(twice.list()).rejects.toThrow("Two actions have the name model/model_create");
  });

  test.each(EVERY)("loads only its own module for $path", async ({ path, action }) => {
    const loaded: number[] = [];
    const rooms = ACTION_MODULES.map(({ prefixes, load }, i): ActionModule => {
      const counting = () => {
        loaded.push(i);
        return load();
      };
      return { prefixes, load: counting };
    });
    const [group = "", name = ""] = path.split("/");
    expect((await createRegistry(rooms).find(group, name)).run).toBe(action.run);
    expect(loaded).toHaveLength(1);
  });
});

describe.each(EVERY)("$path", ({ action }) => {
  test("has a title, a description in a sentence and described parameters", () => {
    expect(action.title).toMatch(/^[A-Z][^.]*$/);
    expect(action.description).toMatch(/^[A-Z].*[.]$/s);
    expect(words(action.description)).toBeGreaterThan(2);
    for (const [name, param] of Object.entries(getAllParams(action))) {
      expect(name).toMatch(/^[a-z][a-zA-Z]*$/);
      expect(param.description, name).toMatch(/^\S+ .*[.]$/s);
      expect(param.type.description, name).toMatch(/[.]$/);
    }
    expect(action.output.description).toMatch(/^[A-Z].*[.]$/s);
  });

  test("has an existing rule, with existing permissions", () => {
    const rule = RULES.find((r) => r.key === action.rule);
    expect(rule, action.rule).toBeDefined();
    for (const permission of rule?.associatedRequiredPermissions ?? []) expect(ALL_PERMISSIONS).toContain(permission);
  });

  test("has schemas that become JSON Schema", () => {
    const schemas = [action.output.schema(), ...Object.values(getAllParams(action)).map((p) => p.type.schema())];
    for (const schema of schemas) {
      const json = z.toJSONSchema(schema, { unrepresentable: "throw", target: "draft-2020-12", io: "input" });
      expect(JSON.stringify(json).length).toBeGreaterThan(2);
    }
  });

  test("has errors of the table, each once", () => {
    expect(new Set(action.errors).size).toBe(action.errors.length);
    for (const code of action.errors) expect(PROBLEMS).toHaveProperty(code);
  });

  test("has an example that is valid, and invalid with a misspelt parameter", () => {
    const { path, input } = readPayload(action, { query: [], body: action.example });
    const names = Object.keys(action.example);
    expect(path).toHaveLength(names.filter((name) => !(name in action.input)).length);
    expect(path.length + Object.keys(input).length).toBe(names.length);
    const [name] = names;
    if (name === undefined) return;
    const { [name]: value, ...others } = action.example;
    expect(() => readPayload(action, { query: [], body: { ...others, [`${name}x`]: value } })).toThrow(`${name}x`);
  });
});

describe("a registry", () => {
  const [first, second] = ACTIONS;
  if (!first || !second) throw new Error("there are not two actions");

  test("finds an action without a prefix, or with one of another module", async () => {
    const room = (begin: string, action: Action): ActionModule => ({ prefixes: [begin], load: async () => [action] });
    for (const begin of ["nothing/", "", `${second.group}/${second.name}`]) {
      const registry = createRegistry([room("nothing/", second), room(begin, first)]);
      expect(await registry.find(second.group, second.name)).toBe(second);
    }
  });

  test.each([
    ["models", "model_get"],
    ["tags", "tag_search"],
    ["auths", "whoami"],
    ["configs", "inspect_config"],
    ["batches", "batch_run"],
  ])("accepts the group %s in the plural", async (group, name) => {
    expect((await createCatalogue().find(group, name)).name).toBe(name);
  });

  test("has a plural for every group", () => {
    expect(Object.keys(PLURALS).sort()).toEqual([...new Set(ACTIONS.map(({ group }) => group))].sort());
  });

  test.each([
    ["model", "entity_creat", "Unknown action `model/entity_creat`. Did you mean `model/entity_create`?"],
    ["modell", "import", "Unknown action `modell/import`. Did you mean `model/import`?"],
    ["auth", "nothing_like_it", "Unknown action `auth/nothing_like_it`."],
    ["config", "constructor", "Unknown action `config/constructor`."],
  ])("refuses %s/%s with the nearest name of all modules", async (group, name, message) => {
    await expect(createCatalogue().find(group, name)).rejects.toMatchObject({ code: "unknown_action", message });
  });

  test("retries a module that failed to load", async () => {
    let failures = 1;
    const load = async () => {
      if (failures-- > 0) throw new Error("too many open files");
      return [first];
    };
    const registry = createRegistry([{ prefixes: ["model/"], load }]);
    await expect(registry.find(first.group, first.name)).rejects.toThrow("too many open files");
    expect(await registry.find(first.group, first.name)).toBe(first);
  });
});
