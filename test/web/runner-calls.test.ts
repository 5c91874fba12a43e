import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../ui/api/description.ts";
import { buildTree, matchesWords } from "../../ui/screens/runner/action-tree.tsx";
import { buildBatchCall, buildBatchPayload, moveEntry } from "../../ui/screens/runner/batch/batch-call.ts";
import {
  formatShellPayload,
  toVariableName,
  type WrittenCall,
  withVariables,
} from "../../ui/screens/runner/calls/call.ts";
import { formatCommand, formatCurl, formatProgram } from "../../ui/screens/runner/calls/calls-pane.tsx";
import { listEntryFaults, placeFaults } from "../../ui/screens/runner/form/faults.ts";
import { createForm } from "../../ui/screens/runner/form/field.ts";
import { addSecrets, splitSecrets } from "../../ui/screens/runner/form/form-state.ts";
import { findTable, listColumns } from "../../ui/screens/runner/run/value-table.tsx";
import { describedService } from "./support/described-service.ts";

const described = await describedService();
const { actions, schemas } = described;

function actionOf(ref: string) {
  const action = actions.get(ref);
  if (!action) throw new Error(`no action ${ref}`);
  return action;
}

function callOf(ref: string, more: Partial<WrittenCall> = {}): WrittenCall {
  const action = actionOf(ref);
  return {
    action,
    form: createForm(action.input, schemas),
    url: "http://127.0.0.1:8080",
    payload: {},
    dryRun: false,
    ...more,
  };
}

describe("a call as text", () => {
  const payload = { modelRef: "key:crm", entityKey: "it's", description: "@home\n`$(x)`" };

  test("for curl", () => {
    expect(formatCurl(callOf("model/entity_create", { payload, ifMatch: "abc-1", idempotencyKey: "k1" }))).toBe(
      [
        "curl -sS http://127.0.0.1:8080/api/model/entity_create \\",
        '  -H "Authorization: Bearer $METACTION_TOKEN" \\',
        `  -H 'If-Match: "abc-1"' \\`,
        "  -H 'Idempotency-Key: k1' \\",
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"modelRef":"key:crm","entityKey":"it'\\''s","description":"@home\\n\`$(x)\`"}'`,
      ].join("\n"),
    );
  });

  test("for the command line", () => {
    expect(formatCommand(callOf("model/entity_create", { payload, dryRun: true, idempotencyKey: "k1" }))).toBe(
      [
        "metaction models entity_create \\",
        "  --modelRef=key:crm \\",
        "  --entityKey='it'\\''s' \\",
        "  --description='@@home\n`$(x)`' \\",
        "  --dry-run",
      ].join("\n"),
    );
    expect(formatCommand(callOf("model/model_list", { payload: { limit: 5 }, url: "https://x.test" }))).toBe(
      "metaction models model_list --limit=5 --url=https://x.test",
    );
    // What no flag can say is piped in.
    expect(formatCommand(callOf("model/entity_create", { payload: { modelRef: "-" } }))).toBe(
      `printf '%s' '{"modelRef":"-"}' |\n  metaction models entity_create --input=-`,
    );
  });

  test("for a program", () => {
    const odd = { modelRef: "key:crm", "a b": [1, { c: null }] };
    expect(formatProgram(callOf("model/entity_create", { payload: odd, dryRun: true }))).toBe(
      [
        'import { createClient } from "metaction/client";',
        "",
        'const api = createClient({ url: "http://127.0.0.1:8080", token: process.env.METACTION_TOKEN });',
        "",
        'const answer = await api.model.entity_create({ modelRef: "key:crm", "a b": [1, { c: null }] }, { dryRun: true });',
        "console.log(JSON.stringify(answer));",
      ].join("\n"),
    );
  });

  test("has a variable instead of each secret, and no token if none is required", () => {
    const form = createForm(actionOf("auth/change_my_password").input, schemas);
    const { open, secrets } = splitSecrets(form, { oldPassword: "old one", newPassword: "new one" });
    const call = callOf("auth/change_my_password", { payload: withVariables(form, open, Object.keys(secrets)) });
    for (const text of [formatCurl(call), formatCommand(call), formatProgram(call)]) {
      expect(text).not.toContain("old one");
      expect(text).toContain("METACTION_OLD_PASSWORD");
      expect(text).toContain("METACTION_NEW_PASSWORD");
    }
    expect(formatCurl(callOf("auth/login"))).not.toContain("Authorization");
    expect(formatProgram(callOf("auth/login"))).not.toContain("METACTION_TOKEN");
    expect(toVariableName("oldPassword")).toBe("METACTION_OLD_PASSWORD");
  });

  test("a shell passes the payload to the program unchanged, for any payload", () => {
    // No NUL goes through the arguments of a program.
    const text = fc.string({ unit: "grapheme" }).map((one) => one.replaceAll("\0", ""));
    fc.assert(
      fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (payload) => {
        const said = execFileSync("sh", ["-c", `printf '%s' ${formatShellPayload(payload)}`], { encoding: "utf8" });
        expect(JSON.parse(said)).toEqual(payload);
      }),
      { numRuns: 40 },
    );
  });

  test("the expression of a program evaluates to the payload, for any payload", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (payload) => {
        const text = formatProgram(callOf("model/entity_create", { payload }));
        const begin = text.indexOf("entity_create(") + "entity_create(".length;
        const given = text.slice(begin, text.lastIndexOf(");\nconsole"));
        const value: unknown = given === "" ? {} : new Function(`return (${given});`)();
        expect(JSON.stringify(value)).toBe(JSON.stringify(payload));
      }),
      { numRuns: 200 },
    );
  });
});

describe("secrets", () => {
  const input: JsonSchema = {
    type: "object",
    properties: { username: { type: "string" }, password: { type: "string", writeOnly: true } },
  };
  const form = createForm(input, {});

  test("are removed from a payload, and restored in the order of the form", () => {
    const { open, secrets } = splitSecrets(form, { password: "p", username: "u" });
    expect({ open, secrets }).toEqual({ open: { username: "u" }, secrets: { password: "p" } });
    expect(JSON.stringify(addSecrets(form, open, secrets))).toBe('{"username":"u","password":"p"}');
    expect(addSecrets(form, open, { password: "" })).toEqual({ username: "u" });
  });

  test("of a batch are variables in its text", () => {
    const alan = { username: "alan", fullname: "Alan", password: "hush hush" };
    const entries = [
      { id: 1, group: "auth", action: "user_create", payload: alan },
      { id: 2, group: "model", action: "model_create", payload: { key: "crm" } },
    ];
    expect(JSON.stringify(buildBatchPayload(entries))).toContain("hush hush");
    const shown = formatCurl(callOf("batch/batch_run", { payload: buildBatchCall(entries, described) }));
    expect(shown).not.toContain("hush hush");
    expect(shown).toContain(`"password":"'"$METACTION_PASSWORD"'"`);
    expect(moveEntry(entries, 1, 0).map(({ id }) => id)).toEqual([2, 1]);
  });
});

describe("faults of an answer", () => {
  test("are shown at the field of their pointer, or the nearest around it, or above", () => {
    const faults = [
      { pointer: "/name", detail: "too long" },
      { pointer: "/filters/items/0/value/id", detail: "no id" },
      { pointer: "/nam", detail: "unknown" },
      { pointer: "", detail: "all of it" },
    ];
    const placed = placeFaults(faults, new Set(["", "/name", "/filters", "/filters/items/0"]));
    expect([...placed.byField]).toEqual([
      ["/name", ["too long"]],
      ["/filters/items/0", ["no id"]],
    ]);
    expect(placed.others.map(({ detail }) => detail)).toEqual(["unknown", "all of it"]);
  });

  test("of a batch belong to their entry", () => {
    const faults = [
      { pointer: "/actions/1/payload/entityKey", detail: "missing" },
      { pointer: "/actions/1/action", detail: "not in a batch" },
      { pointer: "/actions/0/payload/a~1b", detail: "other" },
    ];
    expect(listEntryFaults(faults, 1)).toEqual([
      { pointer: "/entityKey", detail: "missing" },
      { pointer: "", detail: "not in a batch" },
    ]);
    expect(listEntryFaults(faults, 0)).toEqual([{ pointer: "/a~1b", detail: "other" }]);
  });
});

test("the tree has every action once, by group and kind, and can be searched", () => {
  const listed = [...actions].map(([actionRef, { title, intent }]) => ({
    actionRef,
    title,
    semantics: { intent, subjects: actionRef.includes("entity") ? [{ type: "entity" }] : [] },
  }));
  const tree = buildTree(listed, "");
  const refs = tree.flatMap(({ subjects }) => subjects.flatMap((subject) => subject.actions.map(({ ref }) => ref)));
  expect(refs.toSorted()).toEqual([...actions.keys()].toSorted());
  expect(tree.map(({ name }) => name)).toEqual([...new Set([...actions.keys()].map((ref) => ref.split("/")[0]))]);
  expect(buildTree(listed, "no such thing")).toEqual([]);
  expect(matchesWords({ actionRef: "model/entity_create", title: "Create entity" }, "entity cre")).toBe(true);
  expect(matchesWords({ actionRef: "model/entity_create", title: "Create entity" }, "model/entity_create")).toBe(true);
  expect(matchesWords({ actionRef: "model/entity_create", title: "Create entity" }, "entity delete")).toBe(false);
});

test("a table has keys and names first and ids last, and only the rows of a list", () => {
  expect(listColumns([{ id: 1, type: 2, key: 3 }, { other: 4 }])).toEqual(["key", "type", "other", "id"]);
  expect(findTable({ items: [1] })).toEqual([1]);
  expect(findTable({ items: [1], more: 2 })).toEqual({ items: [1], more: 2 });
});
