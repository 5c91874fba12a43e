import { afterAll, afterEach, describe, expect, test } from "vitest";
import { runJob } from "../../shared/actions/pipeline/run-job.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { realRuntime } from "../support/runtime.ts";
import { person, someone, someoneOn } from "../support/someone.ts";
import { type Body, codeOf, createWorld } from "../support/world.ts";
import { issuersFrom, startIssuerServer } from "./support/issuer-server.ts";
import { createSigner } from "./support/token-signer.ts";

/** Outcomes of writes in the model `crm` and in another model, by caller. */
const CALLERS: Readonly<Record<string, readonly [inCrm: string, inOther: string]>> = {
  "a person with a role": ["ok", "ok"],
  "a person with a role for models by pattern": ["ok", "not_found"],
  "a person with a role for a model by id": ["ok", "not_found"],
  "a person with the role of a reader": ["not_allowed", "not_allowed"],
  "a person without a role": ["not_allowed", "not_allowed"],
  "a company token with a role by claim": ["ok", "ok"],
  "a company token with the claim of a reader": ["not_allowed", "not_allowed"],
  "a company token without a claim": ["not_allowed", "not_allowed"],
  "an API token": ["ok", "ok"],
  "an API token for models by pattern": ["ok", "not_found"],
  "an API token for a model by id": ["ok", "not_found"],
  "an API token for a permission that is not enough": ["not_allowed", "not_allowed"],
  "a service account with a role": ["ok", "ok"],
  "a service account with a role for a model by id": ["ok", "not_found"],
};

const FORMS = ["call", "dry run", "batch", "batch as a dry run", "job"] as const;
const { callStagingMs } = LIMITS;
const MANY_ENTRIES = 101;

const models = { crm: { id: "", key: "crm" }, other: { id: "", key: "other" } };
let keys = 0;

const signer = createSigner("key", "ES256");
const provider = await startIssuerServer([signer.jwk]);
const roles = { stewards: "manager", guests: "reader" };
const issuer = { issuer: provider.issuer, audiences: ["metaction"], rolesClaim: "groups", roles };
const world = await createWorld({ issuers: issuersFrom(issuer) });
for (const model of Object.values(models))
  model.id = (await world.run("model/model_create", { key: model.key, name: model.key })).id;
const byId = `id:${models.crm.id}`;
const now = Math.floor(realRuntime.now() / 1_000);
const signIn = (sub: string, ...groups: readonly string[]) =>
  signer.token({ iss: provider.issuer, sub, aud: "metaction", name: sub, iat: now, exp: now + 3_600, groups });
const owner = await person(world, "manager");
const createToken = async (payload: object, token: unknown = owner.token): Promise<string> =>
  (await world.run("auth/token_create", { name: "T", ...payload }, token as string)).token;
const createAccount = async (key: string, role: object): Promise<string> => {
  const { id: actorId } = await world.run("auth/service_account_create", { key, name: key });
  await world.run("auth/actor_add_role", { actorId, roleRef: "key:manager", ...role });
  return createToken({ actorId }, world.people.admin);
};
const tokens: Readonly<Record<string, Promise<string> | string>> = {
  "a person with a role": owner.token,
  "a person with a role for models by pattern": (await someoneOn(world, "p", { role: "manager", models: "c*" })).token,
  "a person with a role for a model by id": (await someoneOn(world, "i", { role: "manager", models: byId })).token,
  "a person with the role of a reader": (await person(world, "reader")).token,
  "a person without a role": (await someone(world, "n")).token,
  "a company token with a role by claim": signIn("steward", "stewards"),
  "a company token with the claim of a reader": signIn("guest", "guests"),
  "a company token without a claim": signIn("nobody"),
  "an API token": createToken({}),
  "an API token for models by pattern": createToken({ models: ["c*"] }),
  "an API token for a model by id": createToken({ models: [byId] }),
  "an API token for a permission that is not enough": createToken({ permissions: ["model_read"] }),
  "a service account with a role": createAccount("robot", {}),
  "a service account with a role for a model by id": createAccount("bounded-robot", { models: byId }),
};
afterEach(() => Object.assign(LIMITS, { callStagingMs }));
afterAll(() => provider.stop());

async function createType(modelRef: string, form: (typeof FORMS)[number], token: string): Promise<string> {
  const createPayload = () => ({ modelRef, typeKey: `t${keys++}` });
  const entry = () => ({ group: "model", action: "type_create", payload: createPayload() });
  const controls = { dryRun: form.endsWith("dry run") };
  try {
    if (form === "call" || form === "dry run") {
      const body = await world.run("model/type_create", createPayload(), token, controls);
      return body.changed === true ? "ok" : "unchanged";
    }
    if (form === "job") Object.assign(LIMITS, { callStagingMs: 0 });
    const actions = Array.from({ length: form === "job" ? MANY_ENTRIES : 2 }, entry);
    const { body, accepted } = await world.answer("batch/batch_run", { actions }, token, controls);
    expect(accepted).toBe(form === "job" ? true : undefined);
    if (!accepted) return (body as Body).changed === true ? "ok" : "unchanged";
    const jobRef = (body as Body).job;
    await runJob(jobRef.slice("id:".length), world.service, realRuntime.now() + 900_000);
    const { state, result, problem } = await world.run("batch/job_get", { jobRef }, token);
    return state === "done" && result.changed === true ? "ok" : (problem?.code ?? state);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe.each(Object.entries(CALLERS))("%s", (caller, [inCrm, inOther]) => {
  test.each(FORMS)("is allowed the same in each model, by id and by key, in a %s", async (form) => {
    const token = (await tokens[caller]) ?? "";
    for (const [model, wanted] of [
      [models.crm, inCrm],
      [models.other, inOther],
    ] as const) {
      for (const ref of [`key:${model.key}`, `id:${model.id}`])
        expect(await createType(ref, form, token), ref).toBe(wanted);
    }
  });

  test("gets from auth/can what its calls answer", async () => {
    const token = (await tokens[caller]) ?? "";
    const refs = Object.values(models).flatMap(({ id, key }) => [`key:${key}`, `id:${id}`]);
    const asked = { actions: ["model/type_create", "model/model_get"], models: refs };
    const { items } = await world.run("auth/can", asked, token);
    for (const { action, model, allowed } of items) {
      const payload = action === "model/type_create" ? { typeKey: `t${keys++}` } : {};
      const code = await codeOf(world.answer(action, { modelRef: model, ...payload }, token));
      expect(allowed, `${action} ${model}`).toBe(code === "none");
    }
  });
});
