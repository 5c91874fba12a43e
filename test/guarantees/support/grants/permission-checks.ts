import { expect } from "vitest";
import { Problem } from "../../../../shared/domain/problems.ts";
import { anywhere, type CastModel, type Held, onModel } from "./rules.ts";
import type { Users } from "./users.ts";

/** Actions that are asked about, each with its rule. */
export const ASKED = [
  ["model/model_get", "model_read"],
  ["model/entity_create", "model_write"],
  ["model/model_delete", "model_delete"],
] as const;

/**
 * Compares the answers of `auth/can` about the models with the rights that are held, and with the outcomes of calls on
 * those models. Answers how many comparisons were made.
 */
export async function compareModels(
  { world: { run }, models }: Pick<Users, "world" | "models">,
  held: Held,
  token: string,
  where: string,
): Promise<number> {
  const asked = models.flatMap((model) => [
    { model, ref: `key:${model.key}` },
    { model, ref: `id:${model.id}` },
  ]);
  const actions = ASKED.map(([action]) => action);
  const { items } = await run("auth/can", { actions, models: asked.map(({ ref }) => ref) }, token);
  const expected = ASKED.flatMap(([action, permission]) =>
    asked.map(({ model, ref }) => ({ action, model: ref, allowed: onModel(held, permission, model) })),
  );
  expect(items, where).toEqual(expected);
  for (const { model, ref: modelRef } of asked) {
    const made = { modelRef, entityKey: "tried" };
    const read = run("model/model_get", { modelRef }, token);
    const write = run("model/entity_create", made, token, { dryRun: true });
    const outcomes = await Promise.all([read, write].map((call) => call.then(() => "ok", codeOf)));
    const wanted = [verdict(held, "model_read", model), verdict(held, "model_write", model)];
    expect(outcomes, `${where} on ${modelRef}`).toEqual(wanted);
  }
  const listed = await run("model/model_list", {}, token).then((rows: readonly CastModel[]) => keysOf(rows), codeOf);
  const seen = models.filter((model) => onModel(held, "model_read", model));
  expect(listed, `${where}, models listed`).toEqual(anywhere(held, "model_read") ? keysOf(seen) : "not_allowed");
  return items.length + 2 * asked.length + 1;
}

/** A model that may not be read does not exist; who holds a permission nowhere needs no model to be refused. */
function verdict(held: Held, permission: string, model: CastModel): string {
  if (!anywhere(held, permission)) return "not_allowed";
  if (!onModel(held, "model_read", model)) return "not_found";
  return onModel(held, permission, model) ? "ok" : "not_allowed";
}

const keysOf = (models: readonly CastModel[]): readonly string[] => models.map(({ key }) => key).sort();

function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  throw error;
}
