import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { writtenOutput } from "../../shared/actions/building/answers.ts";
import { listParameterTypes, PUBLIC_LIMITS } from "../../shared/actions/config/inspect-actions.ts";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import { defineAction } from "../../shared/actions/contract/define-action.ts";
import { allowClearing, allowParam, requireParam } from "../../shared/actions/contract/params.ts";
import {
  COMMON_ERRORS,
  describeAction,
  describeSemantics,
  listErrors,
} from "../../shared/actions/describe/describe.ts";
import { attribute, model } from "../../shared/domain/kinds.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { flag, markdown, modelKey, password, singleLine } from "../../shared/domain/values/value-types.ts";
import { ACTIONS, findAction } from "../support/actions.ts";

const sample = defineAction({
  group: "model",
  name: "entity_attribute_sample",
  title: "Sample",
  description: "A sample.",
  intent: "update",
  rule: "model_write",
  target: attribute,
  input: {
    value: allowClearing(markdown, "The text.", "text"),
    strict: allowParam(flag, "How."),
    secret: requireParam(password, "The password."),
  },
  output: writtenOutput,
  errors: ["still_used"],
  example: {},
  run: async ({ target }) => ({ subject: target, changes: [] }),
});

describe("a descriptor", () => {
  test("lists the refs of the addressed object first, then the parameters as declared", () => {
    const { parameters } = describeAction(sample);
    expect(parameters.map((p) => [p.name, p.type, p.jsonType, p.required, p.clears, p.secret])).toEqual([
      ["modelRef", "ModelRef", "string", true, false, false],
      ["entityRef", "EntityRef", "string", true, false, false],
      ["attributeRef", "EntityAttributeRef", "string", true, false, false],
      ["value", "TextMarkdown", "string", false, true, false],
      ["strict", "Boolean", "boolean", false, false, false],
      ["secret", "PasswordClear", "string", true, false, true],
    ]);
    expect(parameters[3]?.aliases).toEqual(["text"]);
    expect(parameters[3]?.schema.description).toContain("Also accepted as text.");
    expect(parameters[5]?.schema).toMatchObject({ type: "string", format: "password", writeOnly: true });
  });

  test("combines the action's own problems with those of its kind of action", () => {
    expect(listErrors(sample).filter((code) => !COMMON_ERRORS.includes(code))).toEqual([
      ...["not_signed_in", "not_allowed", "actor_disabled", "not_found", "still_used", "contention"],
      ...["precondition_failed", "idempotency_key_reused"],
    ]);
    expect(listErrors(findAction("config/inspect_permissions"))).toEqual(expect.arrayContaining([...COMMON_ERRORS]));
    expect(listErrors(findAction("config/inspect_permissions"))).toHaveLength(COMMON_ERRORS.length);
    expect(listErrors(findAction("config/inspect_config"))).not.toContain("not_allowed");
  });

  test("is plain JSON and built once", () => {
    for (const action of ACTIONS) {
      const descriptor = describeAction(action);
      expect(JSON.parse(JSON.stringify(descriptor))).toEqual(descriptor);
      expect(describeAction(action)).toBe(descriptor);
    }
  });
});

test.each<[action: string, intent: string, type?: string, params?: object, returns?: readonly string[]]>([
  ["model/entity_attribute_update_description", "update", "entity_attribute", { attributeRef: "ref" }],
  ["model/entity_attribute_create", "create", "entity_attribute", { attributeKey: "key" }],
  ["model/business_key_create", "create", "business_key", { key: "key" }],
  ["model/entity_primary_key_update", "update", "entity", { entityRef: "ref" }],
  ["model/model_copy", "create", "model", { modelRef: "ref", modelNewKey: "key" }],
  // A write without an object has a model as its subject.
  ["model/import", "create", "model", { modelKey: "key", into: "ref" }],
  ["model/model_list", "read", "model", {}, ["model"]],
  ["config/inspect_actions", "other"],
])("semantics of %s follow from its definition", (name, intent, type, params = {}, returns = []) => {
  const referencingParams = Object.entries(params).map(([param, kind]) => ({ name: param, kind }));
  const subjects = type === undefined ? [] : [{ type, referencingParams }];
  expect(describeSemantics(findAction(name))).toEqual({ intent, subjects, returns });
});

describe("the types of parameters", () => {
  const schemas = ACTIONS.flatMap((a) =>
    describeAction(a).parameters.map((p) => ({ of: `${a.name}.${p.name}`, ...p })),
  );
  const schemaOf = (name: string, parameter: string) =>
    describeAction(findAction(name)).parameters.find((p) => p.name === parameter)?.schema;

  test("have a JSON Schema of the declared JSON type, with a description of their rules", () => {
    const byId = new Map(listParameterTypes(ACTIONS).map((t) => [t.id, t]));
    for (const p of schemas) {
      if (p.jsonType === "any") expect(p.schema, p.of).not.toHaveProperty("type");
      else expect(p.schema.type, p.of).toBe(p.schema.type === "integer" ? "integer" : p.jsonType);
      expect(p.schema.description, p.of).toContain(p.description);
      expect(p.schema.description, p.of).toContain(byId.get(p.type)?.description ?? "A list of");
    }
  });

  test("have the pattern, length, bounds or values that their schema enforces", () => {
    expect(schemaOf("model/model_create", "key")?.pattern).toContain(`{1,${LIMITS.keyCharacters}}$`);
    expect(schemaOf("model/model_create", "name")?.maxLength).toBe(LIMITS.nameCharacters);
    expect(schemaOf("model/model_create", "version")?.pattern).toBeTypeOf("string");
    expect(schemaOf("model/model_update_authority", "value")?.enum).toEqual(["system", "canonical"]);
    expect(schemaOf("model/model_list", "limit")).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: LIMITS.pageRows,
    });
    expect(schemaOf("model/entity_primary_key_update", "attributeRef")).toMatchObject({
      type: "array",
      maxItems: LIMITS.primaryKeyAttributes,
      items: { type: "string" },
    });
  });

  test("have a pattern for every text, without control characters, and without the empty text where one is required", () => {
    for (const { of, schema, required, type } of schemas.filter((p) => p.jsonType === "string" && !p.schema.enum)) {
      const pattern = new RegExp(String(schema.pattern), "u");
      for (const control of ["\u0000", "\u001b", "\u0080", "\u009f"])
        expect(pattern.test(`key:a${control}`), `${of}: ${type}`).toBe(false);
      if (required) expect(pattern.test("") && schema.minLength !== 1, of).toBe(false);
    }
  });

  test("have patterns that agree with the service", () => {
    const words = ["crm", "a b", "", "a'b", 'a"b', "a`b", "a\\b", "é", "x".repeat(128), "x".repeat(129), "\u007f", "~"];
    const shown = new RegExp(String(schemaOf("model/model_create", "key")?.pattern), "u");
    for (const word of words)
      expect(shown.test(word), JSON.stringify(word)).toBe(z.safeParse(modelKey.schema(), word).success);
    expect(z.safeParse(singleLine.schema(), "a\nb").success).toBe(false);
    expect(singleLine.description).toContain("One line");
  });
});

test("an action on a model has its ref under the same name everywhere", () => {
  for (const action of ACTIONS.filter((a) => (a.target ?? a.within)?.ledger === "model"))
    expect(Object.keys(getAllParams(action))[0], action.name).toBe(model.refParameter);
});

test("the limits shown to callers are limits", () => {
  expect(new Set(PUBLIC_LIMITS).size).toBe(PUBLIC_LIMITS.length);
  for (const name of PUBLIC_LIMITS) expect(LIMITS[name]).toBeGreaterThan(0);
});
