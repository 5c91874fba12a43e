import { expect, test } from "vitest";
import { writtenOutput } from "../../shared/actions/building/answers.ts";
import { defineUpdateField } from "../../shared/actions/building/field-actions.ts";
import { defineAction } from "../../shared/actions/contract/define-action.ts";
import { requireParam } from "../../shared/actions/contract/params.ts";
import { entity, model } from "../../shared/domain/kinds.ts";
import { flag, singleLine } from "../../shared/domain/values/value-types.ts";

/* Definitions that must not compile: if one does, its `@ts-expect-error` is an error of the compiler. */

const whole = {
  group: "config",
  name: "whole",
  title: "Whole",
  description: "Has everything that an action needs.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: { ...writtenOutput },
  errors: [],
  example: {},
  run: async () => ({ body: {} }),
} as const;

const { rule: _rule, ...withoutRule } = whole;
const { errors: _errors, ...withoutErrors } = whole;
const { output: _output, ...withoutOutput } = whole;
const { description: _description, ...withoutDescription } = whole;
const { example: _example, ...withoutExample } = whole;

test("a complete action is defined, and an incomplete one does not compile", () => {
  expect(defineAction(whole)).toBe(whole);
  // @ts-expect-error Nobody says who may run it.
  expect(defineAction(withoutRule)).not.toHaveProperty("rule");
  // @ts-expect-error Nobody says what it may end in.
  expect(defineAction(withoutErrors)).not.toHaveProperty("errors");
  // @ts-expect-error Nobody says what it answers.
  expect(defineAction(withoutOutput)).not.toHaveProperty("output");
  // @ts-expect-error Nobody says what it does.
  expect(defineAction(withoutDescription)).not.toHaveProperty("description");
  // @ts-expect-error Nobody shows how it is called.
  expect(defineAction(withoutExample)).not.toHaveProperty("example");
});

test("an unknown rule, error or permission does not compile", () => {
  // @ts-expect-error There is no such rule.
  expect(defineAction({ ...whole, rule: "everybody" })).toHaveProperty("rule");
  // @ts-expect-error There is no such problem.
  expect(defineAction({ ...whole, errors: ["teapot"] })).toHaveProperty("errors");
});

test("a write that answers like a read, and a read that decides a commit, do not compile", () => {
  // @ts-expect-error A write decides on changes.
  expect(defineAction({ ...whole, intent: "update" })).toHaveProperty("intent");
  const decides = async () => ({ subject: { id: "i", key: "k" }, changes: [] });
  // @ts-expect-error A read answers a body.
  expect(defineAction({ ...whole, run: decides })).toHaveProperty("run");
});

test("an action gets only the objects that it addresses", () => {
  const addressed = { ...whole, group: "model", intent: "read", rule: "model_read" } as const;
  const read = defineAction({ ...addressed, target: entity, run: async ({ target }) => ({ body: target.primaryKey }) });
  expect(read.target).toBe(entity);
  // @ts-expect-error A model has no primary key.
  const wrong = defineAction({ ...addressed, target: model, run: async ({ target }) => ({ body: target.primaryKey }) });
  expect(wrong.target).toBe(model);
});

test("a builder that sets a field accepts only values of that field's type", () => {
  const texts = { title: "T", description: "D.", rule: "model_write", example: {} } as const;
  expect(
    defineUpdateField("right", entity, "name", { ...texts, value: requireParam(singleLine, "A name.") }).name,
  ).toBe("right");
  // @ts-expect-error A name is no flag.
  const wrong = defineUpdateField("wrong", entity, "name", { ...texts, value: requireParam(flag, "A flag.") });
  expect(wrong.name).toBe("wrong");
});
