import { serviceAccountKey } from "../../domain/accounts/account-types.ts";
import { createServiceAccountActor, hashActorKey } from "../../domain/accounts/actors.ts";
import { findServiceAccountKey, toServiceAccountSubject } from "../../domain/accounts/principal.ts";
import { serviceAccountFields } from "../../domain/fields/account-fields.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createChange, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Actor } from "../../domain/model/objects.ts";
import { BUILT_IN } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { roleRef, serviceAccountRef } from "../../domain/values/ref-types.ts";
import { createListType, singleLine } from "../../domain/values/value-types.ts";
import { createNamedSchema } from "../building/answers.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { Page, ReadView, Rows } from "../contract/view.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";
import { checkGrant, deleteApiTokens, findRoles, setEnabled } from "./account-changes.ts";
import { adminRead, adminWrite, createAccountShape, toAccountRow } from "./account-rows.ts";

const accountParameter = { serviceAccountRef: requireParam(serviceAccountRef, "The service account.") };

const EXAMPLE = "key:nightly-export";

const toAccountSubject = (actor: Actor) => ({ id: actor.id, key: findServiceAccountKey(actor) ?? actor.subject });

const serviceAccountCreate = defineAction({
  ...adminWrite,
  ledger: "identity",
  name: "service_account_create",
  title: "Create service account",
  description:
    "Creates an account for a program: an actor of the built-in issuer with the subject `service:<key>`. It has no password and never signs in. It has the permissions of its roles, and calls with API tokens that an administrator creates with `token_create`. API tokens cannot change accounts, so a service account never counts as a remaining administrator.",
  intent: "create",
  input: {
    key: requireParam(serviceAccountKey, "The key; it never changes."),
    name: requireParam(singleLine, "The name to show, such as its purpose."),
    roleRefs: allowParam(createListType(roleRef, LIMITS.roles), "The roles it gets for everything; none unless given."),
  },
  errors: ["key_taken", "not_found"],
  example: { key: "nightly-export", name: "Nightly export", roleRefs: ["key:reader"] },
  run: async ({ input, call, caller, view }) => {
    const roles = findRoles(input.roleRefs ?? [], caller.roles);
    checkGrant(
      caller,
      roles.flatMap(({ permissions }) => permissions),
    );
    if (await findServiceAccountByKey(view, input.key)) {
      throw new Problem("key_taken", `key ${input.key} is already used by another service account; choose another key`);
    }
    const account: Actor = {
      ...createServiceAccountActor(input.key, input.name, call),
      roles: roles.map(({ id }) => id),
    };
    return { subject: toAccountSubject(account), changes: [createChange(account)] };
  },
});

const serviceAccountList = defineAction({
  ...adminRead,
  ledger: "identity",
  name: "service_account_list",
  title: "List service accounts",
  description: "Lists the service accounts in a stable order, with the roles that are assigned for everything.",
  input: pagingParams,
  output: createListOutput("The service accounts.", () =>
    createNamedSchema("ServiceAccount", createAccountShape(serviceAccountFields)),
  ),
  errors: [],
  example: {},
  run: async ({ view, input, ports, call }) => {
    const [rows, all] = await Promise.all([listServiceAccounts(view, toPage(input)), listAllRoles(view)]);
    // Leaves out deleted roles, as `actor_get` does.
    const roleIds = new Set(all.map(({ id }) => id));
    const lastCalls = await ports.identity.listLastCalls(
      rows.items.map(({ id }) => id),
      call,
    );
    return toReading(rows, (actors) => ({
      items: actors.map((actor) =>
        toAccountRow(actor, serviceAccountFields, {
          ...toAccountSubject(actor),
          roles: actor.roles.filter((id) => roleIds.has(id)),
          lastSeenAt: lastCalls.get(actor.id),
        }),
      ),
    }));
  },
});

const serviceAccountUpdate = defineAction({
  ...adminWrite,
  ledger: "identity",
  name: "service_account_update",
  title: "Change service account's name",
  description: "Changes the name of a service account.",
  intent: "update",
  input: { ...accountParameter, name: requireParam(singleLine, "The name to show.", "value") },
  errors: ["not_found"],
  example: { serviceAccountRef: EXAMPLE, name: "Export of every night" },
  run: async ({ input, view }) => {
    const account = await requireServiceAccount(view, input.serviceAccountRef);
    return { subject: toAccountSubject(account), changes: updateChanges(account, { fullname: input.name }) };
  },
});

const serviceAccountDisable = defineAction({
  ...adminWrite,
  ledger: "identity",
  name: "service_account_disable",
  title: "Disable service account",
  description:
    "Refuses all calls of a service account from now on and ends its API tokens. After `actor_enable` it can get new ones.",
  intent: "update",
  input: accountParameter,
  errors: ["not_found"],
  example: { serviceAccountRef: EXAMPLE },
  run: async ({ input, view, call }) => {
    const account = await requireServiceAccount(view, input.serviceAccountRef);
    const changes = await setEnabled(view, account, false, call);
    return { subject: toAccountSubject(account), changes: [...changes, ...(await deleteApiTokens(view, account))] };
  },
});

const serviceAccountDelete = defineAction({
  ...adminWrite,
  ledger: "identity",
  name: "service_account_delete",
  title: "Delete service account",
  description:
    "Deletes a service account and ends its API tokens. Its changes stay in the history under its id. The key becomes free.",
  intent: "delete",
  input: accountParameter,
  errors: ["not_found"],
  example: { serviceAccountRef: EXAMPLE },
  run: async ({ input, view }) => {
    const account = await requireServiceAccount(view, input.serviceAccountRef);
    const tokens = await deleteApiTokens(view, account);
    return { subject: toAccountSubject(account), changes: [deleteChange(account, false), ...tokens] };
  },
});

function findServiceAccountByKey(view: ReadView, key: string): Promise<Actor | undefined> {
  return view.find("actor", { scheme: "key", value: hashActorKey(BUILT_IN, toServiceAccountSubject(key)) });
}

async function requireServiceAccount(view: ReadView, ref: Ref): Promise<Actor> {
  const actor = ref.scheme === "key" ? await findServiceAccountByKey(view, ref.value) : await view.find("actor", ref);
  if (actor && findServiceAccountKey(actor) !== undefined) return actor;
  throw new Problem("not_found", `no service account ${printRef(ref)}`);
}

async function listServiceAccounts(view: ReadView, page: Page): Promise<Rows<Actor>> {
  const { limit = Number.POSITIVE_INFINITY } = page;
  const items: Actor[] = [];
  let { after } = page;
  do {
    const rows: Rows<Actor> = await view.list("actor", undefined, { ...page, ...includeMember("after", after) });
    items.push(...rows.items.filter((actor) => findServiceAccountKey(actor) !== undefined));
    after = rows.next;
    // One more item than requested shows that there is a next page.
  } while (after !== undefined && items.length <= limit);
  const last = items[limit - 1];
  return items.length > limit && last ? { items: items.slice(0, limit), next: last.key } : { items };
}

export const serviceAccountActions = [
  serviceAccountCreate,
  serviceAccountList,
  serviceAccountUpdate,
  serviceAccountDisable,
  serviceAccountDelete,
] as const satisfies readonly Action[];
