import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replaceIdsByNames } from "../../cli/calls/run-action.ts";
import { formatTable } from "../../cli/output/table.ts";
import { renderText } from "../../cli/terminal/text-stream.ts";
import { type SignedIn, signedIn } from "./support/signed-in.ts";

let here: SignedIn;

const library = "--modelRef=key:library";
const loan = [library, "--entityRef=key:loan"];
const pages = [library, "--entityRef=key:book", "--attributeRef=key:pages"];
const newPages = [...pages.slice(0, 2), "--attributeKey=pages", "--type=key:string", "--optional"];

/** Calls that give the tables rows of every sort. */
const MADE: readonly (readonly string[])[] = [
  ["model", "entity_attribute_create", ...newPages],
  ["model", "entity_attribute_update_type", ...pages, "--value=key:date"],
  ["model", "entity_update_property", ...loan, "--property=name", '--value="Loans"'],
  ["model", "entity_update_property", ...loan, "--property=lent", '--value={"team": "Lending", "since": 2019}'],
  ["tag", "tag_group_create", "--key=privacy"],
  ["tag", "tag_global_create", "--groupRef=key:privacy", "--key=personal"],
  ["model", "entity_add_tag", ...loan, "--tagRef=key:privacy/personal"],
  ["auth", "token_create", "--name=CI"],
  ["auth", "role_create", "--key=auditor", "--name=Auditor"],
];

beforeAll(async () => {
  here = await signedIn();
  for (const call of MADE) expect((await here.user.run(call)).code).toBe(0);
}, 60_000);

afterAll(() => here.service.interrupt());

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The lines that a command shows on a terminal of 100 columns, with times as long as they are. */
async function shown(command: string): Promise<readonly string[]> {
  const { stdout, code } = await here.user.onTerminal(`NO_COLOR=1 metaction ${command}`);
  expect(code).toBe(0);
  const timeless = stdout.replaceAll(/\d{4}-\d\d-\d\d/g, "2026-11-22").replaceAll(/\d\d:\d\d:\d\dZ/g, "09:30:00Z");
  return timeless.replaceAll("\r", "").trimEnd().split("\n");
}

const filters = `--filters='{"items":[{"type":"text","condition":"contains","value":"isbn"}]}'`;

const TABLES = [
  "models model_list",
  `models type_list ${library} --limit=3 --quiet`,
  `models entity_list ${library}`,
  `models entity_get ${loan.join(" ")}`,
  `models entity_attribute_list ${pages.slice(0, 2).join(" ")}`,
  `models relationship_list ${library}`,
  `models relationship_get ${library} --relationshipRef=key:loan_book`,
  `models history_versions ${library}`,
  `models history_version_changes ${library}`,
  `models search ${filters}`,
  "tag tag_search",
  "auth user_list",
  "auth role_list",
  "auth audit_list --act=auth/role_create",
  "batch job_list",
];

/** The text of a body at a width. */
function textOf(body: unknown, width: number): string {
  return renderText(formatTable(body, width), false);
}

/** The lines of a list at a width. */
function linesOf(rows: readonly object[], width: number): readonly string[] {
  return textOf({ items: rows }, width).trimEnd().split("\n");
}

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
      "update actor mary (roles: {role: reader, models: crm}, {role: auditor, models: web*})\n",
    );
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
    expect(told(18)).toBe("key  description");
    expect(told(19)).toMatch(/^key {10}one$/);
  });
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

describe("a table on a terminal of 100 columns", () => {
  test.each(TABLES)("of %s has keys and names, and cuts nothing", async (command) => {
    const lines = await shown(command);
    expect(lines.filter((line) => line.length > 100 || line.includes("…"))).toEqual([]);
    // The id of what was asked for alone is the only one.
    expect(lines.filter((line) => UUID.test(line) && !line.startsWith("id "))).toEqual([]);
    expect(lines.join("\n").replace(UUID, "<uuid>")).toMatchSnapshot();
  });

  test("has complete ids where nothing else names the rows", async () => {
    for (const command of ["auth token_list", "auth actor_list"]) {
      const lines = await shown(command);
      expect(lines.filter((line) => line.length > 100)).toEqual([]);
      expect(lines.filter((line) => UUID.test(line)).length).toBe(1);
    }
  });

  test("has all ids without keys", async () => {
    const whole = (await shown(`models entity_list ${library} --expand=`)).join("\n");
    expect(whole).toMatch(/^id /);
    expect(whole).toMatch(/^primaryKey +id:[0-9a-f-]{36}$/m);
  });

  test("is printed for any output with --output=table, and for no other by default", async () => {
    const list = ["model", "entity_list", library];
    const table = await here.user.run([...list, "--output=table"]);
    expect(table.stdout).not.toMatch(UUID);
    const piped = JSON.parse((await here.user.run(list)).stdout);
    expect(piped.items[0]).not.toHaveProperty("primaryKeyByKey");
    const asked = JSON.parse((await here.user.run([...list, "--expand=keys"])).stdout);
    expect(asked.items[0]).toMatchObject({ key: "book", primaryKeyByKey: ["key:isbn"] });
    const unknown = await here.user.run([...list, "--expand=names"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain('expand: "names" is not one of: keys');
  });

  test("does not affect a query and a curl command in a pipe", async () => {
    const query = `models entity_list ${library} --query='keys(items[0])'`;
    expect((await shown(query)).join()).toBe((await shown(`${query} --expand=`)).join());
    const curl = await shown(`models entity_list ${library} --curl`);
    expect(curl.join()).not.toContain("expand");
  });
});
