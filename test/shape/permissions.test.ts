import { beforeAll, describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import type { Action } from "../../shared/actions/define-action.ts";
import type { Rule } from "../../shared/actions/rules.ts";
import { createPasswords } from "../../shared/identity/passwords.ts";
import { userKey } from "../../shared/store/keys.ts";
import { FORMAT } from "../../shared/store/seam.ts";
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

const { actions } = createCatalogue();
const pathOf = (action: Action): string => `${action.group}/${action.name}`;

/** A payload that the action itself refuses no caller for: the example, with a secret and a password that are right. */
function payloadOf(action: Action): object {
  if (action.name === "admin_bootstrap") {
    // A password that is too weak leaves the secret unused, so that every caller is answered alike.
    return { ...action.example, secret: BOOTSTRAP_SECRET, password: "weak" };
  }
  return action.example;
}

let world: World;

beforeAll(async () => {
  world = await createWorld();
  const login = actions.find((a) => a.name === "login")?.example as { username: string; password: string };
  const passwordHash = await createPasswords().hash(login.password);
  const user = {
    id: "u",
    username: login.username,
    fullname: "U",
    passwordHash,
    tokenEpoch: 1,
    createdAt: "2026-01-01",
  };
  const item = { ...userKey(login.username), v: FORMAT, ...user, revision: 1 };
  await world.seam.write({ put: item, expect: { absent: true } });
});

const tokenOf = (caller: CallerName): Caller => (caller === "anonymous" ? undefined : world.people[caller]);

async function cellOf(action: Action, caller: CallerName): Promise<Cell> {
  const code = await codeOf(world.answer(pathOf(action), payloadOf(action), tokenOf(caller)));
  return code === "not_signed_in" ? "401" : code === "not_allowed" ? "403" : "yes";
}

test.each(
  actions.map((action) => ({ path: pathOf(action), rule: action.rule, action })),
)("$path lets through whom its rule $rule lets through, and no one else", async ({ action }) => {
  for (const caller of CALLERS) {
    expect(await cellOf(action, caller), caller).toBe(expectedCell(action.rule, caller));
  }
});

test("the matrix of actions and callers is the one written down", async () => {
  const rows = [...actions]
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
    const open = actions.find((a) => a.rule === "public" && a.group === "config");
    if (!open) throw new Error("there is no public action");
    expect(await cellOf(open, "anonymous")).not.toBe(expectedCell(secret, "anonymous"));
  });

  test("knows every rule that an action has", () => {
    const rules = new Set(actions.map((a) => a.rule));
    for (const rule of rules) expect(expectedCell(rule, "admin")).toBe("yes");
  });
});
