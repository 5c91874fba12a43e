import { expect } from "vitest";
import { Problem } from "../../../../shared/domain/problems.ts";
import { type Body, codeOf } from "../../../support/world.ts";
import { type Bearer, type Grants, heldByBearer } from "./model.ts";
import { tokenProblems } from "./refusals.ts";
import { anywhere, type CastModel, comparable, type Held, onModel, told } from "./rules.ts";
import type { Users } from "./users.ts";

const ASKED = [
  ["model/model_get", "model_read"],
  ["model/entity_create", "model_write"],
  ["model/model_delete", "model_delete"],
] as const;

/** Returns the code of a problem; throws any other error. */
export function toCode(error: unknown): string {
  if (error instanceof Problem) return error.code;
  throw error;
}

/** Compares what `auth/whoami` answers a bearer with the rights that the model gives it. */
export async function compareBearer({ world, models }: Users, grants: Grants, bearer: Bearer, where: string) {
  const held = heldByBearer(grants, bearer);
  const said: Body = await world.run("auth/whoami", {}, bearer.token).catch(toCode);
  if (!held) expect(tokenProblems(grants, bearer), where).toContain(said);
  else {
    const rights = { admin: held.everywhere.has("admin"), ...comparable(told(held, models)) };
    expect(typeof said === "string" ? said : { admin: said.admin, ...comparable(said) }, where).toEqual(rights);
  }
}

/** Compares the answers of `auth/can` and of calls on each model with the rights that are held; returns their number. */
export async function compareModels({ world: { run }, models }: Users, held: Held, token: string, where: string) {
  const asked = models.flatMap((model) => [`key:${model.key}`, `id:${model.id}`].map((ref) => ({ model, ref })));
  const actions = ASKED.map(([action]) => action);
  const { items } = await run("auth/can", { actions, models: asked.map(({ ref }) => ref) }, token);
  const expected = ASKED.flatMap(([action, permission]) =>
    asked.map(({ model, ref }) => ({ action, model: ref, allowed: onModel(held, permission, model) })),
  );
  expect(items, where).toEqual(expected);
  for (const { model, ref: modelRef } of asked) {
    const read = run("model/model_get", { modelRef }, token);
    const write = run("model/entity_create", { modelRef, entityKey: "tried" }, token, { dryRun: true });
    const outcomes = await Promise.all([codeOf(read), codeOf(write)]);
    const wanted = [expectedCode(held, "model_read", model), expectedCode(held, "model_write", model)];
    expect(outcomes, `${where} on ${modelRef}`).toEqual(wanted);
  }
  const listed = await run("model/model_list", {}, token).then((rows: readonly CastModel[]) => keysOf(rows), toCode);
  const seen = models.filter((model) => onModel(held, "model_read", model));
  expect(listed, `${where}, models listed`).toEqual(anywhere(held, "model_read") ? keysOf(seen) : "not_allowed");
  return items.length + 2 * asked.length + 1;
}

/** A model that may not be read does not exist; who holds a permission nowhere needs no model to be refused. No refusal is "none". */
function expectedCode(held: Held, permission: string, model: CastModel): string {
  if (!anywhere(held, permission)) return "not_allowed";
  if (!onModel(held, "model_read", model)) return "not_found";
  return onModel(held, permission, model) ? "none" : "not_allowed";
}

const keysOf = (models: readonly CastModel[]): readonly string[] => models.map(({ key }) => key).sort();
