import { expect } from "vitest";
import { Problem } from "../../../shared/domain/problems.ts";
import type { World } from "../../support/world.ts";
import { MODEL_KEYS } from "./grants-cast.ts";
import { anywhere, type Held, onModel } from "./grants-rules.ts";

/** Actions that are asked about, each with its rule. */
export const ASKED = [
  ["model/model_get", "model_read"],
  ["model/entity_create", "model_write"],
  ["model/model_delete", "model_delete"],
] as const;

/** What `auth/can` says of the models, and what happens when it is tried. Answers how much was compared. */
export async function compareModels(run: World["run"], held: Held, token: string, where: string): Promise<number> {
  const models = MODEL_KEYS.map((key) => `key:${key}`);
  const { items } = await run("auth/can", { actions: ASKED.map(([action]) => action), models }, token);
  const expected = ASKED.flatMap(([action, permission]) =>
    MODEL_KEYS.map((key) => ({ action, model: `key:${key}`, allowed: onModel(held, permission, key) })),
  );
  expect(items, where).toEqual(expected);
  for (const key of MODEL_KEYS) {
    const modelRef = `key:${key}`;
    const made = { modelRef, entityKey: "tried" };
    const read = run("model/model_get", { modelRef }, token);
    const write = run("model/entity_create", made, token, { dryRun: true });
    const outcomes = await Promise.all([read, write].map((call) => call.then(() => "ok", codeOf)));
    const wanted = [verdict(held, "model_read", key), verdict(held, "model_write", key)];
    expect(outcomes, `${where} on ${key}`).toEqual(wanted);
  }
  return items.length + 2 * MODEL_KEYS.length;
}

/** A model that may not be read does not exist; who holds a permission nowhere needs no model to be refused. */
function verdict(held: Held, permission: string, key: string): string {
  if (!anywhere(held, permission)) return "not_allowed";
  if (!onModel(held, "model_read", key)) return "not_found";
  return onModel(held, permission, key) ? "ok" : "not_allowed";
}

function codeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  throw error;
}
