import { beforeAll, expect, test } from "vitest";
import { type Action, explainBatchExclusion, isWrite } from "../../shared/actions/contract/action.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { useWorld } from "../actions/support/checked-world.ts";
import { exampleModel } from "../actions/support/models.ts";
import { ACTIONS } from "../support/actions.ts";
import { someone, someoneOn } from "../support/someone.ts";
import { BOOTSTRAP_SECRET, type Caller } from "../support/world.ts";

/**
 * `token`: an API token of an administrator; `scoped`: manager of the example model; `byId`: the same, by its id, and
 * `tokenById`: an API token of a manager for it; `elsewhere`: manager of other models; `looker`: reader of the example model.
 */
const CALLERS = [
  ...["anonymous", "nobody", "reader", "manager", "admin", "token"],
  ...["scoped", "byId", "tokenById", "looker", "elsewhere", "disabled"],
] as const;
type CallerName = string;

/** The answer to a caller of an action: `yes`, or the status of the refusal. */
type Cell = "yes" | "401" | "403" | "404";

const OF_MODELS = /^(model_|tag_local_)/;
const TAKES_KEY = new Set(["model_create", "import"]);
/** Actions that give a model a key, which a caller with a role for the id of a model may not. */
const GIVES_KEY = new Set([...TAKES_KEY, "model_update_key", "model_copy"]);
const EXAMPLE = "key:crm";

/** Decides a cell as the contract has it: roles hold permissions, and permissions imply others. */
function expectedCell({ group, rule, name, intent, example }: Action, caller: CallerName): Cell {
  // An action that anybody may run without a token is open to a caller with a useless token as well.
  if (rule === "public") return "yes";
  if (caller === "disabled") return "403";
  // Accounts are changed by whoever signed in; the API token of the example is not the one that calls.
  if (caller === "token" || (caller === "tokenById" && rule === "signed_in"))
    return (group === "auth" && intent !== "read" && name !== "can") || name === "session_list" ? "403" : "yes";
  if (caller === "anonymous") return "401";
  if (rule === "signed_in" || caller === "admin") return "yes";
  if (caller === "manager") return rule === "admin" ? "403" : "yes";
  if (caller === "reader" || caller === "looker") return rule === "model_read" ? "yes" : "403";
  if (caller === "nobody" || !OF_MODELS.test(rule)) return "403";
  if (caller === "scoped") return "yes";
  if (caller === "byId" || caller === "tokenById") return GIVES_KEY.has(name) ? "403" : "yes";
  // The caller left is a manager of other models: of this one they learn nothing, and its name is not theirs to give.
  if (JSON.stringify(example).includes(EXAMPLE)) return "404";
  return TAKES_KEY.has(name) ? "403" : "yes";
}

const pathOf = (action: Action) => `${action.group}/${action.name}`;

/** A payload that the action itself refuses no caller for: the example, with a secret and a password that are right. */
function payloadOf(action: Action): object {
  // A password that is too weak leaves the secret unused, so that every caller is answered alike.
  if (action.name === "admin_bootstrap") return { ...action.example, secret: BOOTSTRAP_SECRET, password: "weak" };
  if (action.name === "import") return { ...action.example, modelKey: "crm_offices" };
  // The entries of a batch have rules of their own, so the batch is sent without any and refused for that alone.
  return action.name === "batch_run" ? { actions: [] } : action.example;
}

const world = useWorld();
const tokens = new Map<CallerName, Caller>();

beforeAll(async () => {
  const { model } = await exampleModel(world);
  for (const [name, token] of Object.entries(world.people)) tokens.set(name, token);
  const byId = `id:${model.id}`;
  const scopes = {
    scoped: ["manager", "c*"],
    byId: ["manager", byId],
    looker: ["reader", "crm"],
    elsewhere: ["manager", "other_*"],
  };
  for (const [name, [role = "", models = ""]] of Object.entries(scopes))
    tokens.set(name, (await someoneOn(world, name, { role, models })).token);
  const bounded = { name: "Bounded", models: [byId] };
  tokens.set("tokenById", (await world.okAs(world.people.manager, "auth/token_create", bounded)).body.token);
  tokens.set("token", (await world.ok("auth/token_create", { name: "All" })).body.token);
  const gone = await someone(world, "disabled");
  await world.ok("auth/actor_disable", { actorId: gone.id });
  tokens.set("disabled", gone.token);
  const { username } = ACTIONS.find((a) => a.name === "login")?.example as { username: string };
  await someone(world, username);
});

async function cellOf(action: Action, caller: CallerName): Promise<Cell> {
  // A dry run leaves the example as it is for the next caller.
  const controls = isWrite(action) ? { dryRun: true } : {};
  return cell(world.answer(pathOf(action), payloadOf(action), tokens.get(caller), controls));
}

async function cellInBatch(action: Action, caller: CallerName): Promise<Cell> {
  const actions = [{ group: action.group, action: action.name, payload: payloadOf(action) }];
  return cell(world.answer("batch/batch_run", { actions }, tokens.get(caller), { dryRun: true }));
}

async function cell(answer: Promise<unknown>): Promise<Cell> {
  try {
    await answer;
    return "yes";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "not_signed_in") return "401";
    if (error.code === "not_allowed" || error.code === "actor_disabled") return "403";
    return error.code === "not_found" && error.message.endsWith(`no model ${EXAMPLE}`) ? "404" : "yes";
  }
}

test.each(
  ACTIONS.map((action) => ({ path: pathOf(action), rule: action.rule, action })),
)("$path permits the callers of its rule $rule, and no others", async ({ action }) => {
  for (const caller of CALLERS) expect(await cellOf(action, caller), caller).toBe(expectedCell(action, caller));
});

test.each(
  ACTIONS.filter((action) => !explainBatchExclusion(action)).map((action) => ({ path: pathOf(action), action })),
)("$path permits the same callers in a batch", async ({ action }) => {
  for (const caller of CALLERS) expect(await cellInBatch(action, caller), caller).toBe(expectedCell(action, caller));
});

test.each(
  CALLERS.filter((one) => one !== "anonymous" && one !== "disabled"),
)("auth/can answers %s as the calls do", async (caller) => {
  const { id } = (await world.ok("model/model_get", { modelRef: EXAMPLE })).body;
  const models = [EXAMPLE, `id:${id}`];
  for (const action of ACTIONS) {
    const asked = await world.answer("auth/can", { actions: [pathOf(action)], models }, tokens.get(caller));
    const allowed = (asked.body as { items: { allowed: boolean }[] }).items.map((one) => one.allowed);
    const isPermitted = expectedCell(action, caller) === "yes";
    // The question names a model: not the key to give, nor the account to change, nor all models.
    const isOther = GIVES_KEY.has(action.name) || (action.group === "auth" && action.rule === "signed_in");
    const isAboutModel = JSON.stringify(action.example).includes(EXAMPLE) || caller !== "elsewhere";
    if (!isOther && isAboutModel) expect(allowed, pathOf(action)).toEqual([isPermitted, isPermitted]);
  }
});

test("the matrix of actions and callers equals the stored one", async () => {
  const rows = [...ACTIONS]
    .sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))
    .map((a) => `| ${[`\`${pathOf(a)}\``, a.rule, ...CALLERS.map((c) => expectedCell(a, c))].join(" | ")} |`);
  const lines = [
    "# Who may run what",
    "",
    "Written by `permissions.test.ts`, which checks every cell against the running service, called directly and as an",
    "entry of a batch, and against `auth/can`. `token` is an API token of the administrator, `scoped` a manager of the",
    "models `c*`, `byId` of the model `crm` by its id, `tokenById` an API token of a manager for that id, `looker` a reader",
    "of the model `crm`, `elsewhere` a manager of the models `other_*`. Every action is called with its example, which is",
    "about `crm`. `vitest -u` renews this page; a changed line is a decision.",
    "",
    `| action | rule | ${CALLERS.join(" | ")} |`,
    `|---|---|${CALLERS.map(() => "---|").join("")}`,
    ...rows,
    "",
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot("permission-matrix.md");
});
