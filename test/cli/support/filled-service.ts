import { beforeAll, expect } from "vitest";
import { writeInto } from "../../support/temporary-folder.ts";
import { CRM, CRM_WORK, SHOP, VOCABULARY } from "./filled-models.ts";
import { type SignedIn, useSignedIn } from "./signed-in.ts";

/** Ids of a user with roles, an empty model and an unchanged one, a user without roles, a completed job, and a run with a commit. */
export type FilledIds = Readonly<Record<"ACTOR" | "BARE" | "NEW" | "NOBODY" | "JOB" | "RUN", string>>;

/** Fills a service, before the tests of a file, with models, tags, people and jobs as a company has them. */
export function useFilledService(): SignedIn & { readonly ids: FilledIds } {
  const here = useSignedIn();
  const { call } = here;
  const ids = { ACTOR: "", BARE: "", NEW: "", NOBODY: "", JOB: "", RUN: "" };
  beforeAll(async () => {
    for (const [action, payload] of VOCABULARY) await call(action, payload);
    await call("model/model_apply", { modelKey: "crm", create: true, content: CRM });
    const source = "https://git.example.com/shop/schema.sql";
    await call("model/import", { content: SHOP, source, modelKey: "webshop" });
    for (const [action, payload] of CRM_WORK) await call(action, payload);
    ids.BARE = (await call("model/model_create", { key: "bare", name: "Empty" })).id;
    ids.NEW = (await call("model/model_create", { key: "new", name: "New" })).id;
    ids.ACTOR = await createColleague(here);
    ids.NOBODY = await createUser(here, { username: "nobody", password: "Nothing at all 2026", fullname: "Nobody" });
    ids.JOB = await endJob(here);
    ids.RUN = (await call("model/run_begin", { title: "Name the empty model" })).id;
    const { code } = await here.user.run(
      `models model_update_name --modelRef=bare --name=Bare --run=${ids.RUN}`.split(" "),
    );
    expect(code).toBe(0);
  });
  return Object.assign(here, { ids });
}

async function createColleague(here: SignedIn): Promise<string> {
  const { call, service } = here;
  const mary = { username: "mary.wollstonecraft-shelley", password: "Frankenstein and 1818" };
  await call("auth/role_create", {
    key: "data_steward",
    name: "Data steward",
    description: "Keeps the models of a department in order and releases them once everybody has agreed.",
  });
  for (const permissionKey of ["model_write", "model_release"])
    await call("auth/role_add_permission", { roleRef: "key:data_steward", permissionKey });
  const actorId = await createUser(here, { ...mary, fullname: "Mary Wollstonecraft Shelley" });
  for (const models of ["crm", "web*"])
    await call("auth/actor_add_role", { actorId, roleRef: "key:data_steward", models });
  const { access_token } = await call("auth/login", mary);
  await service.call("auth/token_create", { name: "Nightly export to the data lake", expiresInDays: 30 }, access_token);
  const roleRefs = ["key:reader", "key:data_steward"];
  await call("auth/service_account_create", { key: "nightly-export", name: "Export to the data lake", roleRefs });
  await call("auth/token_create", { name: "CI", permissions: ["model_read"] });
  // The audit log has refusals too.
  await expect(call("auth/login", { ...mary, password: "Dracula and 1897" })).rejects.toThrow("401");
  return actorId;
}

async function createUser(
  { call }: SignedIn,
  user: { readonly username: string; readonly password: string; readonly fullname: string },
): Promise<string> {
  await call("auth/user_create", { ...user, admin: false });
  const { items } = await call("auth/user_list", {});
  return items.find((one: { readonly username: string }) => one.username === user.username).actorId;
}

const LARGE = {
  name: "measurements",
  resources: Array.from({ length: 26 }, (_, table) => ({
    name: `t${table}`,
    schema: { fields: Array.from({ length: 800 }, (_, field) => ({ name: `f${field}`, type: "string" })) },
  })),
};

async function endJob({ call, user }: SignedIn): Promise<string> {
  const { job: cancelled } = await call("model/import", { content: LARGE, modelKey: "cancelled" });
  await call("batch/job_cancel", { jobRef: cancelled });
  const file = await writeInto(user.home, "measurements.json", LARGE);
  const { stdout } = await user.run(["import", file], { columns: 100 });
  expect(stdout, "the progress of the job on a terminal").toMatch(/\r.*\d of \d{5}/);
  await call("model/model_delete", { modelRef: "key:measurements" });
  return (await call("batch/job_list")).items.find(({ state }: { readonly state: string }) => state === "done").id;
}
