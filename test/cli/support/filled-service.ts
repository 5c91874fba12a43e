import { expect } from "vitest";
import { CRM, CRM_WORK, SHOP, VOCABULARY } from "./filled-models.ts";
import { type SignedIn, signedIn } from "./signed-in.ts";

/** A service with models, tags, people and jobs as a company has them, and the ids of what no key names. */
export interface FilledService extends SignedIn {
  /** A user with roles for everything and for some models, whose token and refused sign-in there are. */
  readonly actor: string;
  /** The model that nothing is in. */
  readonly bare: string;
  /** A user without anything. */
  readonly nobody: string;
  /** A job that has ended, beside one that was cancelled. */
  readonly job: string;
}

/** Starts a service that has, beside the library model, two models with their history and an empty one, people with roles, tokens and jobs. */
export async function filledService(): Promise<FilledService> {
  const here = await signedIn();
  const { service } = here;
  const ask: Ask = async (action, payload, token = here.token) => {
    const { status, body } = await service.call(action, payload, token);
    if (status !== 200 && status !== 202) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  for (const [action, payload] of VOCABULARY) await ask(action, payload);
  await ask("model/model_apply", { modelKey: "crm", create: true, content: CRM });
  await ask("model/import", { content: SHOP, source: "https://git.example.com/shop/schema.sql", modelKey: "webshop" });
  for (const [action, payload] of CRM_WORK) await ask(action, payload);
  const { id: bare } = await ask("model/model_create", { key: "bare", name: "Empty" });
  const actor = await aColleague(ask);
  const nobody = await aUser(ask, { username: "nobody", password: "Nothing at all 2026", fullname: "Nobody" });
  return { ...here, bare, actor, nobody, job: await endedJob(ask) };
}

/** Calls an action; its answer, or an error with it where it was refused. */
type Ask = (
  action: string,
  payload: object,
  token?: string,
) => Promise<Awaited<ReturnType<SignedIn["service"]["call"]>>["body"]>;

async function aColleague(ask: Ask): Promise<string> {
  const mary = { username: "mary.wollstonecraft-shelley", password: "Frankenstein and 1818" };
  await ask("auth/role_create", {
    key: "data_steward",
    name: "Data steward",
    description: "Keeps the models of a department in order and releases them once everybody has agreed.",
  });
  for (const permissionKey of ["model_write", "model_release"]) {
    await ask("auth/role_add_permission", { roleRef: "key:data_steward", permissionKey });
  }
  const actorId = await aUser(ask, { ...mary, fullname: "Mary Wollstonecraft Shelley" });
  for (const models of ["crm", "web*"])
    await ask("auth/actor_add_role", { actorId, roleRef: "key:data_steward", models });
  const { access_token } = await ask("auth/login", mary);
  await ask("auth/token_create", { name: "Nightly export to the data lake", expiresInDays: 30 }, access_token);
  const roleRefs = ["key:reader", "key:data_steward"];
  await ask("auth/service_account_create", { key: "nightly-export", name: "Export to the data lake", roleRefs });
  await ask("auth/token_create", { name: "CI", permissions: ["model_read"] });
  // The audit log has refusals too.
  await expect(ask("auth/login", { ...mary, password: "Dracula and 1897" })).rejects.toThrow("401");
  return actorId;
}

async function aUser(
  ask: Ask,
  user: { readonly username: string; readonly password: string; readonly fullname: string },
): Promise<string> {
  await ask("auth/user_create", { ...user, admin: false });
  const { items } = await ask("auth/user_list", {});
  return items.find((one: { readonly username: string }) => one.username === user.username).actorId;
}

/** A source with more objects than one call may write. */
const LARGE = {
  name: "measurements",
  resources: Array.from({ length: 26 }, (_, table) => ({
    name: `t${table}`,
    schema: { fields: Array.from({ length: 800 }, (_, field) => ({ name: `f${field}`, type: "string" })) },
  })),
};

async function endedJob(ask: Ask): Promise<string> {
  const { job: cancelled } = await ask("model/import", { content: LARGE, modelKey: "cancelled" });
  await ask("batch/job_cancel", { jobRef: cancelled });
  const { job } = await ask("model/import", { content: LARGE });
  for (;;) {
    const { state, problem } = await ask("batch/job_get", { jobRef: job });
    if (state === "done") break;
    if (problem) throw new Error(`the job ${job} failed: ${problem.detail}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await ask("model/model_delete", { modelRef: "key:measurements" });
  return job;
}
