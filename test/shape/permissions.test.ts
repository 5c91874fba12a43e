import { beforeAll, describe, expect, test } from "vitest";
import type { Action } from "../../shared/actions/define-action.ts";
import type { Rule } from "../../shared/actions/rules.ts";
import { writePerson } from "../support/accounts.ts";
import { ACTIONS } from "../support/actions.ts";
import { BOOTSTRAP_SECRET, type Caller, codeOf, createWorld, type World } from "../support/world.ts";

const CALLERS = ["anonymous", "nobody", "reader", "manager", "admin"] as const;
type CallerName = (typeof CALLERS)[number];

/** Whether a caller may run an action: what they are refused with where not. */
type Cell = "yes" | "401" | "403";

/** Who passes a rule, as the contract has it: roles hold permissions, and those imply others. */
function expectedCell(rule: Rule, caller: CallerName): Cell {
  if (rule === "public") return "yes";
  if (caller === "anonymous") return "401";
  if (rule === "signed_in" || caller === "admin") return "yes";
  if (caller === "manager") return rule === "admin" ? "403" : "yes";
  return caller === "reader" && rule === "model_read" ? "yes" : "403";
}

const pathOf = (action: Action): string => `${action.group}/${action.name}`;

/** A payload that the action itself refuses no caller for: the example, with a secret and a password that are right. */
function payloadOf(action: Action): object {
  if (action.name === "admin_bootstrap") {
    // A password that is too weak leaves the secret unused, so that every caller is answered alike.
    return { ...action.example, secret: BOOTSTRAP_SECRET, password: "weak" };
  }
  // One that changed the password would end the tokens of those who call next.
  if (action.name === "change_my_password") return { ...action.example, newPassword: "weak" };
  // What a batch holds has rules of its own; without entries it is refused for that alone.
  return action.manyModels ? { actions: [] } : action.example;
}

let world: World;

beforeAll(async () => {
  world = await createWorld();
  const { username } = ACTIONS.find((a) => a.name === "login")?.example as { username: string };
  const createdAt = new Date(world.service.ambient.now()).toISOString();
  await writePerson(world.seam, { username, id: world.service.ambient.newId(), roles: [], createdAt });
});

const tokenOf = (caller: CallerName): Caller => (caller === "anonymous" ? undefined : world.people[caller]);

async function cellOf(action: Action, caller: CallerName): Promise<Cell> {
  const code = await codeOf(world.answer(pathOf(action), payloadOf(action), tokenOf(caller)));
  return code === "not_signed_in" ? "401" : code === "not_allowed" ? "403" : "yes";
}

test.each(
  ACTIONS.map((action) => ({ path: pathOf(action), rule: action.rule, action })),
)("$path lets through whom its rule $rule lets through, and no one else", async ({ action }) => {
  for (const caller of CALLERS) {
    expect(await cellOf(action, caller), caller).toBe(expectedCell(action.rule, caller));
  }
});

test("the matrix of actions and callers is the one written down", async () => {
  const rows = [...ACTIONS]
    .sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))
    .map((a) => `| ${[`\`${pathOf(a)}\``, a.rule, ...CALLERS.map((c) => expectedCell(a.rule, c))].join(" | ")} |`);
  const lines = [
    "# Who may run what",
    "",
    "Written by `permissions.test.ts`, which checks every cell against the running service. `vitest -u` renews it; a",
    "changed line is a decision.",
    "",
    `| action | rule | ${CALLERS.join(" | ")} |`,
    `|---|---|${CALLERS.map(() => "---|").join("")}`,
    ...rows,
    "",
  ];
  await expect(lines.join("\n")).toMatchFileSnapshot("permission-matrix.md");
});

describe("the check of permissions", () => {
  const secret: Rule = "admin";

  test("would find an action that lets through whom its rule does not", async () => {
    const open = ACTIONS.find((a) => a.rule === "public" && a.group === "config");
    if (!open) throw new Error("there is no public action");
    expect(await cellOf(open, "anonymous")).not.toBe(expectedCell(secret, "anonymous"));
  });

  test("knows every rule that an action has", () => {
    const rules = new Set(ACTIONS.map((a) => a.rule));
    for (const rule of rules) expect(expectedCell(rule, "admin")).toBe("yes");
  });
});
