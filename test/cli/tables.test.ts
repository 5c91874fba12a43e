import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { replaceIdsByNames } from "../../cli/calls/run-action.ts";
import { removeSchemes } from "../../cli/output/cell-text.ts";
import { formatTable } from "../../cli/output/table.ts";
import { renderText } from "../../cli/terminal/text-stream.ts";
import { wrapAtBlanks } from "../../cli/terminal/wrapping.ts";
import type { Action } from "../../shared/actions/contract/action.ts";
import { toCommandGroup } from "../../shared/domain/channels.ts";
import { ACTIONS, findAction } from "../support/actions.ts";
import { splitWords } from "./support/command.ts";
import { type FilledIds, useFilledService } from "./support/filled-service.ts";

const here = useFilledService();
const { json, run } = here;

/** Flags that make a call answer something, and those that make a list answer nothing. */
interface Flags {
  readonly filled: string;
  /** Or a sentence that says why the list is never empty. */
  readonly empty?: string | { readonly never: string };
}

const crm = "--modelRef=crm";
const bare = "--modelRef=bare";
const customer = `${crm} --entityRef=customer`;
const places = `${crm} --relationshipRef=customer_places_purchase_order`;
const finds = (value: string) => `'{"items":[{"type":"text","condition":"contains","value":"${value}"}]}'`;
const versions = `--leftModelRef=crm --leftModelVersion=2.0.0 --rightModelRef=crm`;

const FLAGS: Readonly<Record<string, Flags>> = {
  "model/model_list": { filled: "", empty: { never: "a caller who sees no model is another caller" } },
  "model/model_get": { filled: crm },
  "model/model_export": { filled: crm },
  "model/model_export_version": { filled: `${crm} --version=2.0.0` },
  "model/model_export_as": { filled: `${crm} --format=dbml` },
  "model/model_compare": { filled: versions },
  "model/model_compare_as": { filled: `${versions} --format=postgresql` },
  "model/deleted_list": { filled: "", empty: { never: "one was deleted, and no flag leaves it out" } },
  "model/run_list": { filled: "", empty: { never: "there is one, and no flag leaves it out" } },
  "model/run_get": { filled: "--runRef=RUN", empty: { never: "it shows the run itself" } },
  "model/history_versions": { filled: crm, empty: { never: "a model begins with a version" } },
  "model/history_version_changes": { filled: crm, empty: "--modelRef=NEW" },
  "model/type_get": { filled: `${crm} --typeRef=money` },
  "model/type_list": { filled: crm, empty: bare },
  "model/entity_get": { filled: customer },
  "model/entity_list": { filled: crm, empty: bare },
  "model/entity_attribute_get": { filled: `${customer} --attributeRef=email` },
  "model/entity_attribute_list": { filled: customer, empty: `${crm} --entityRef=unknown_yet` },
  "model/business_key_get": { filled: `${crm} --businessKeyRef=customer_identity` },
  "model/business_key_list": { filled: crm, empty: bare },
  "model/relationship_get": { filled: places },
  "model/relationship_list": { filled: crm, empty: bare },
  "model/relationship_attribute_get": { filled: `${places} --attributeRef=sales_channel` },
  "model/relationship_attribute_list": { filled: places, empty: "--modelRef=library --relationshipRef=loan_book" },
  "model/search": { filled: `--filters=${finds("customer")}`, empty: `--filters=${finds("nothing of the kind")}` },
  "tag/tag_group_get": { filled: "--tagGroupRef=privacy" },
  "tag/tag_group_list": { filled: "", empty: { never: "there is one group for all models" } },
  "tag/tag_global_get": { filled: "--tagRef=privacy/personal" },
  "tag/tag_local_get": { filled: `${crm} --tagRef=draft` },
  "tag/tag_search": {
    filled: "",
    empty: `--filters='{"items":[{"type":"scopeRef","condition":"is","value":{"type":"model","id":"BARE"}}]}'`,
  },
  "property/definition_get": { filled: "--definitionRef=retentionDays" },
  "property/definition_list": { filled: "", empty: { never: "some come with the service" } },
  "auth/role_get": { filled: "--roleRef=data_steward" },
  "auth/role_list": { filled: "", empty: { never: "some come with the service" } },
  "auth/actor_list": { filled: "", empty: { never: "the caller is one" } },
  "auth/actor_get": { filled: "--actorId=ACTOR" },
  "auth/user_list": { filled: "", empty: { never: "the caller is one" } },
  "auth/service_account_list": { filled: "", empty: { never: "there is one, and no flag leaves it out" } },
  "auth/token_list": { filled: "--all", empty: "--actorId=NOBODY" },
  "auth/session_list": { filled: "", empty: "--actorRef=id:NOBODY" },
  "auth/can": {
    filled: "--actions=model/entity_create --actions=model/model_delete --models=crm",
    empty: { never: "it answers a row for each action" },
  },
  "auth/audit_list": { filled: "", empty: "--act=model/model_create --outcome=refused" },
  "batch/job_get": { filled: "--jobRef=JOB" },
  "batch/job_list": { filled: "", empty: { never: "the test of the screen has one without jobs" } },
  "config/inspect_actions": { filled: "", empty: { never: "the actions are there" } },
  "config/inspect_actions_all": { filled: "", empty: { never: "the actions are there" } },
  "config/inspect_permissions": { filled: "", empty: { never: "the permissions are there" } },
  "config/inspect_security_rules": { filled: "", empty: { never: "the rules are there" } },
  "config/inspect_type_system": { filled: "", empty: { never: "the types are there" } },
};

const READS = ACTIONS.filter(({ intent, safe }) => intent === "read" || safe);
const pathOf = ({ group, name }: Action) => `${group}/${name}`;
const isList = ({ output }: Action) => output.rows !== undefined;

function membersOf({ output }: Action): readonly string[] {
  const { properties = {} } = z.toJSONSchema(output.schema(), { io: "input" });
  const inLists = Object.values(properties).flatMap((one) =>
    typeof one === "object" && typeof one.items === "object" && "properties" in one.items
      ? Object.keys(one.items.properties ?? {})
      : [],
  );
  return [...Object.keys(properties), ...inLists];
}

/** The answers that are shown as they stand: the text of a page, the text of a file, a document with a schema. */
const isVerbatim = (action: Action) => {
  const members = membersOf(action);
  return (
    action.output.mediaType === "text/plain" ||
    (members.includes("mediaType") && members.includes("content")) ||
    members.includes("$schema")
  );
};

const commandOf = ({ group, name }: Action, flags: string) =>
  `${toCommandGroup(group)} ${name} ${flags} --output=table`.replace(
    /BARE|ACTOR|NOBODY|JOB|RUN|NEW/g,
    (name) => here.ids[name as keyof FilledIds],
  );

const filledCommandOf = (action: Action) => commandOf(action, FLAGS[pathOf(action)]?.filled ?? "");

function payloadOf(action: Action): object {
  const flags = (FLAGS[pathOf(action)]?.filled ?? "").split(" ");
  return Object.fromEntries(
    flags.map((flag) => {
      const [, name = "", value = ""] = /^--(\w+)=(.*)$/.exec(flag) ?? [];
      return [name, name.endsWith("Ref") ? `key:${value}` : value];
    }),
  );
}

async function shown(columns: number, commands: readonly string[]): Promise<readonly (readonly string[])[]> {
  const answers: (readonly string[])[] = [];
  for (const command of commands) {
    const { code, stdout } = await here.user.run(splitWords(command), { columns, environment: { NO_COLOR: "1" } });
    expect(code, `${command}\n${stdout}`).toBe(0);
    answers.push(stdout.trimEnd().split("\n"));
  }
  return answers;
}

/** A line that is wider than the terminal, unless behind its name it is one word, which is never broken. */
const isTooWide = (line: string, columns: number) => line.length > columns && !/^ *(\S+ {2,})?\S+$/.test(line);

const JSON_TEXT = /\{"|\[\{|":/;
const QUOTES_JSON: ReadonlySet<string> = new Set(["config/inspect_type_system"]);
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
/** The object's own id, which other calls take, at the beginning of its line. */
const OWN_ID = /^(id +)?[0-9a-f]{8}-[0-9a-f-]{27}\b/;

test("every read that takes parameters, and every list, has flags", () => {
  const needs = READS.filter((action) => isList(action) || Object.values(action.input).some((one) => one.required));
  const addressed = READS.filter(({ target, within }) => target !== undefined || within !== undefined);
  const lacking = [...needs, ...addressed].map(pathOf).filter((path) => FLAGS[path] === undefined);
  expect([...new Set(lacking)]).toEqual([]);
  const known = new Set(READS.map(pathOf));
  expect(Object.keys(FLAGS).filter((path) => !known.has(path))).toEqual([]);
});

describe.each([80, 100])("on a terminal of %d columns", (columns) => {
  test("every read fits, without JSON, cut texts and ids beside names", async () => {
    const reads = READS.filter((action) => !isVerbatim(action));
    const answers = await shown(columns, reads.map(filledCommandOf));
    const faults = reads.flatMap((action, i) =>
      (answers[i] ?? []).flatMap((line) => {
        const isJson = (JSON_TEXT.test(line) || line.includes("…")) && !QUOTES_JSON.has(pathOf(action));
        const isFault = isTooWide(line, columns) || isJson || (UUID.test(line) && !OWN_ID.test(line));
        return isFault ? [`${pathOf(action)}: ${line}`] : [];
      }),
    );
    expect(faults).toEqual([]);
    expect(answers.filter((lines) => lines.join("").trim() === "")).toEqual([]);
  }, 120_000);

  test("texts of files, pages and documents are not reformatted", async () => {
    const reads = READS.filter(isVerbatim);
    expect(reads.map(pathOf)).toEqual(
      expect.arrayContaining(["model/model_export", "model/model_export_as", "config/inspect_config_text"]),
    );
    const answers = await shown(columns, reads.map(filledCommandOf));
    for (const [i, action] of reads.entries()) {
      const lines = answers[i] ?? [];
      expect(lines.filter((line) => line.includes("…"))).toEqual([]);
      if (membersOf(action).includes("$schema")) expect(parse(lines.join("\n"))).toBeTypeOf("object");
      if (membersOf(action).includes("content")) {
        const { body } = await here.service.call(pathOf(action), payloadOf(action), here.token);
        expect(lines.join("\n")).toContain(body.content.trimEnd());
      }
    }
  }, 120_000);

  test("paths are shown as in docs", async () => {
    const of = async (path: string): Promise<string> =>
      (await shown(columns, [filledCommandOf(findAction(path))])).flat().join("\n");
    expect(await of("model/search")).toMatch(/^entityAttribute +crm\/customer\.customer_number$/m);
    const compared = await of("model/model_compare");
    expect(compared).toMatch(/^ {2}path +crm\/customer\.email$/m);
    expect(compared).toMatch(/^ {2}changed +type: key:date → key:text$/m);
    expect(compared).toMatch(/^ {2}changed +type: key:text; optional: true$/m);
    expect(compared).toMatch(/^left +crm, version: 2\.0\.0, authority: system, revision: 2$/m);
    expect(await of("tag/tag_global_get")).toMatch(/^group +privacy$/m);
  }, 60_000);

  test("a secret that is shown once is not cut", async () => {
    const [lines = []] = await shown(columns, ["auth token_create --name=Whole"]);
    const [, token] = /^token +(metaction_\S+)$/m.exec(lines.join("\n")) ?? [];
    expect((await here.service.call("auth/whoami", {}, token)).status).toBe(200);
  });
});

test("an empty list has a note", async () => {
  const lists = READS.filter(isList).flatMap((action) => {
    const { empty } = FLAGS[pathOf(action)] ?? {};
    if (empty === undefined)
      throw new Error(`${pathOf(action)} needs flags with which it is empty, or why it never is`);
    return typeof empty === "string" ? [commandOf(action, empty)] : [];
  });
  expect((await shown(80, lists)).map((lines, i) => `${lists[i]}: ${lines.join(" / ")}`)).toEqual(
    lists.map(() => expect.stringMatching(/: (No [a-zA-Z ]+|There is none)\.$/)),
  );
}, 60_000);

describe("a table on a terminal of 100 columns", () => {
  test("has complete ids where nothing else names the rows", async () => {
    for (const list of ["token_list", "actor_list"]) {
      const { items } = await json`auth ${list}`;
      expect((await here.shown(`auth ${list}`)).filter((line) => UUID.test(line))).toHaveLength(items.length);
    }
  });

  test("has all ids without keys", async () => {
    const whole = (await here.shown("models entity_list --modelRef=library --expand=")).join("\n");
    expect(whole).toMatch(/^id /);
    expect(whole).toMatch(/^primaryKey +id:[0-9a-f-]{36}$/m);
  });

  test("shows a change with the names of objects, and the values before and after it", async () => {
    const history = (await here.shown("models history_version_changes --modelRef=crm")).join("\n");
    expect(history).toMatch(/^change +update attribute date_of_birth \(type: date → text\)$/m);
    expect(history).toMatch(/^actions +model\/entity_attribute_update_type$/m);
    const [audit = []] = await shown(120, ["auth audit_list --act=auth/role_create"]);
    expect(audit.join("\n")).toMatch(/auth\/role_create +ok[\s\S]*create role\s+data_steward/);
  });

  test("is printed for any output with --output=table, and for no other by default", async () => {
    const list = ["models", "entity_list", "--modelRef=library"];
    expect((await run`${list} --output=table`).stdout).not.toMatch(UUID);
    expect((await json`${list}`).items[0]).not.toHaveProperty("primaryKeyByKey");
    expect((await json`${list} --expand=keys`).items[0]).toMatchObject({ key: "book", primaryKeyByKey: ["key:isbn"] });
    const unknown = await run`${list} --expand=names`;
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain('expand: "names" is not valid; use keys, refs or keys,refs');
  });

  test("does not affect a query and a curl command in a pipe", async () => {
    const list = "models entity_list --modelRef=library";
    const query = `${list} --query='keys(items[0])'`;
    expect(await here.shown(query)).toEqual(await here.shown(`${query} --expand=`));
    expect((await here.shown(`${list} --curl`)).join()).not.toContain("expand");
  });
});

const textOf = (body: unknown, width: number): string => renderText(formatTable(body, width), false);

const linesOf = (rows: readonly object[], width: number): readonly string[] =>
  textOf({ items: rows }, width).trimEnd().split("\n");

test("a table can have as many rows as an answer", () => {
  const rows = Array.from({ length: 150_000 }, (_, i) => ({ key: `k${i}`, description: "one two three" }));
  const lines = linesOf(rows, 20);
  expect(lines[0]).toBe("key      description");
  expect(lines.filter((line) => line.startsWith("k")).length).toBe(rows.length + 1);
});

describe("a list on a terminal", () => {
  const rows = [
    { key: "first_of_all", createdAt: "2026-11-22T09:30:00.000Z", text: "some words", none: null },
    { key: "second", createdAt: "2026-11-22T09:30:00.000Z", text: "", none: null },
  ];

  test("has columns of the calculated width, broken between words, without empty columns", () => {
    expect(linesOf(rows, 40)).toEqual([
      "key           createdAt       text",
      "first_of_all  2026-11-22      some words",
      "              09:30:00Z",
      "second        2026-11-22",
      "              09:30:00Z",
    ]);
  });

  test("separates the members of several objects in a cell", () => {
    const roles = [
      { role: "reader", models: "crm" },
      { role: "auditor", models: "web*" },
    ];
    const changes = [{ change: "update", kind: "actor", id: "i", key: "mary", before: {}, after: { roles } }];
    expect(textOf(replaceIdsByNames({ items: [{ act: "auth/actor_add_role", changes }] }), 120)).toContain(
      "update actor mary (roles: none → {role: reader, models: crm}, {role: auditor, models: web*})\n",
    );
    const [id, kind, key] = ["01890a5d-ac96-774b-bcce-b302099a8057", "type", "a"];
    const rows = [
      { change: "update", kind, id, key, before: { tags: [id] }, after: {} },
      { kind, key },
    ];
    expect(replaceIdsByNames(rows)).toEqual([{ change: `update type a (tags: ${id} → none)` }, { kind, key }]);
  });

  test("has a record for each row if a word would be broken", () => {
    expect(linesOf(rows, 25)).toEqual([
      "key        first_of_all",
      "createdAt  2026-11-22 09:30:00Z",
      "text       some words",
      "",
      "key        second",
      "createdAt  2026-11-22 09:30:00Z",
    ]);
  });

  test("has a record for each row if a row would have too many lines", () => {
    const told = (words: number) => linesOf([{ key: "one", description: "word ".repeat(words) }], 20)[0];
    expect([told(18), told(19)]).toEqual(["key  description", expect.stringMatching(/^key {10}one$/)]);
  });
});

test("a list of values has one column, and a single value is a line", () => {
  expect([["a", "b"], 17, null].map((body) => textOf(body, 40))).toEqual(["value\na\nb\n", "17\n", "\n"]);
});

test("a value of an object wraps below itself between words, and a long word is not broken", () => {
  expect(textOf({ id: "1", text: "one two three four five six seven eight\n\nnine", roles: [] }, 40)).toBe(
    "id     1\ntext   one two three four five six seven\n       eight\n\n       nine\nroles  none\n",
  );
  expect(textOf({ token: "x".repeat(80) }, 40)).toBe(`token  ${"x".repeat(80)}\n`);
  expect(textOf({ mediaType: "text/plain", content: `${"y ".repeat(40)}\nz` }, 40)).toContain(
    `\n${"y ".repeat(40)}\nz\n`,
  );
});

test("an id gives way to the name next to it", () => {
  const owner = "01890000-0000-7000-8000-000000000000";
  expect(replaceIdsByNames({ owner, ownerName: "Ada" })).toEqual({ owner: "Ada" });
  expect(replaceIdsByNames({ ownerId: owner, ownerName: "Ada" })).toEqual({ owner: "Ada" });
});

test("a text keeps the indentation of its lines, and a value without a scheme stays as it is", () => {
  expect(wrapAtBlanks("  a \n b", 80)).toBe("  a\n b");
  expect(removeSchemes([null, 1, "key:a"])).toEqual([null, 1, "a"]);
});

test("a job is a candidate for a word", async () => {
  const { stdout } = await here.run`complete -- metaction batch job_get --jobRef=`;
  expect(stdout).toContain(`--jobRef=id:${here.ids.JOB}\t`);
});
