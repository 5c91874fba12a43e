import { need, type RefAction } from "./action.ts";
import { IMPLIES, PASSWORD } from "./callers.ts";
import { Like } from "./expected-answer.ts";
import { Refusal } from "./problem.ts";

type Row = Readonly<Record<string, unknown>>;

const read = (rule: string, run: RefAction["run"], params: RefAction["params"] = {}): RefAction => ({
  rule,
  writes: false,
  params,
  run,
});

const accessToken = {
  access_token: new Like("an access token", (t) =>
    typeof t === "string" && t.split(".").length === 3 ? undefined : "no token",
  ),
  token_type: "Bearer",
  expires_in: 3_600,
};

/** A list whose rows have these facts, by the member that names them, in any order and with no other row. */
const rowsOf = (name: string, expected: ReadonlyMap<string, Row>): Like =>
  new Like(`rows ${[...expected.keys()].join(", ")}`, (actual, differs) => {
    const rows = Array.isArray(actual) ? (actual as Row[]) : [];
    const said = new Map(rows.map((row) => [String(row[name]), row]));
    const missing = [...expected.keys()].filter((key) => !said.has(key));
    const more = [...said.keys()].filter((key) => !expected.has(key));
    if (missing.length + more.length > 0 || said.size !== rows.length) return `missing ${missing}; too many ${more}`;
    for (const [key, facts] of expected) {
      for (const [member, fact] of Object.entries(facts)) {
        const difference = differs(fact, said.get(key)?.[member]);
        if (difference !== undefined) return `${key}.${member}: ${difference}`;
      }
    }
    return undefined;
  });

const text = (what: string) => new Like(what, (t) => (typeof t === "string" && t !== "" ? undefined : `no ${what}`));

/** The row of an action, by what the reference knows of it. */
const actionRow = ([path, { rule, apiTokens = "allowed", params }]: readonly [string, RefAction]): readonly [
  string,
  Row,
] => [
  path,
  {
    securityRule: rule,
    apiTokens,
    title: text("title"),
    description: text("description"),
    parameters: rowsOf(
      "name",
      new Map(Object.entries(params).map(([name, { type, required }]) => [name, { type, optional: !required }])),
    ),
  },
];

const permissionRows = [...Object.entries(IMPLIES), ["admin", Object.keys(IMPLIES)] as const];
/** Direct implications are the service's own affair as long as all that the contract names follows from them. */
const impliedRows = rowsOf(
  "id",
  new Map(permissionRows.map(([id]) => [String(id), { name: text("name"), description: text("description") }])),
);

const asksFor = (...permissions: readonly string[]): Row => ({ associatedRequiredPermissions: permissions });
const ruleRows = rowsOf(
  "key",
  new Map<string, Row>([
    ["public", asksFor()],
    ["signed_in", asksFor()],
    ...permissionRows.map(([id]): [string, Row] => [String(id), asksFor(String(id))]),
  ]),
);

/** The actions of `auth` and `config`; `all` gives the whole table once it is there. */
export function serviceActions(all: () => Readonly<Record<string, RefAction>>): Readonly<Record<string, RefAction>> {
  const rows = (runs: (rule: string) => boolean): Row => ({
    items: rowsOf(
      "actionRef",
      new Map(
        Object.entries(all())
          .filter(([, { rule }]) => runs(rule))
          .map(actionRow),
      ),
    ),
  });
  return {
    "auth/admin_bootstrap": read(
      "public",
      () => {
        throw new Refusal("bootstrap_used");
      },
      {
        username: need("Username"),
        fullname: need("Fullname"),
        password: need("PasswordClear"),
        secret: need("BootstrapSecret"),
      },
    ),
    "auth/login": read(
      "public",
      ({ input }) => {
        if (input.username !== "admin" || input.password !== PASSWORD) throw new Refusal("not_signed_in");
        return { does: "read", body: accessToken };
      },
      { username: need("LoginName"), password: need("PasswordClear") },
    ),
    "auth/whoami": read("signed_in", ({ person }) => ({
      does: "read",
      body: {
        issuer: "urn:metaction:users",
        sub: person?.username,
        fullname: person?.fullname,
        admin: person?.permissions.has("admin"),
        permissions: [...(person?.permissions ?? [])].sort(),
        scopes: [],
      },
    })),
    "config/inspect_actions": read("public", ({ person }) => ({
      does: "read",
      body: rows(
        (rule) => rule === "public" || (person !== undefined && (rule === "signed_in" || person.permissions.has(rule))),
      ),
    })),
    "config/inspect_actions_all": read("public", () => ({ does: "read", body: rows(() => true) })),
    "config/inspect_config": read("signed_in", ({ person }) => ({
      does: "read",
      body: {
        name: "Metaction",
        version: "0.0.0-test",
        engine: "test",
        limits: new Like("limits", (l) =>
          l !== null && typeof l === "object" && Reflect.get(l, "pageRows") === 1_000 ? undefined : "no limits",
        ),
        ...(person?.permissions.has("admin") && { endpoint: "http://endpoint.example", table: "test" }),
      },
    })),
    "config/inspect_config_text": read("signed_in", ({ person }) => ({
      does: "read",
      mediaType: "text/plain",
      body: new Like("the configuration as text", (actual) => {
        const lines = typeof actual === "string" ? actual.split("\n").map((line) => line.trim().split(/ {2,}/)) : [];
        const said = new Map(lines.map(([name = "", value]) => [name, value]));
        if (said.get("name") !== "Metaction" || said.get("pageRows") !== "1000") return "no facts";
        return said.has("table") === person?.permissions.has("admin") ? undefined : "the table, or none";
      }),
    })),
    "config/ai_agents_instructions": read("public", () => ({
      does: "read",
      mediaType: "text/plain",
      body: new Like("a guide that speaks of actions there are", (actual) => {
        const named = String(actual).match(/\b(model|tag|batch|config|auth)\/[a-z_]+/g) ?? [];
        const unknown = named.filter((path) => !Object.keys(all()).some((known) => known.startsWith(path)));
        return named.length > 5 && unknown.length === 0 ? undefined : `it names ${named.length}, unknown: ${unknown}`;
      }),
    })),
    "config/sign_in_options": read("public", () => ({
      does: "read",
      body: { passwordIssuer: "urn:metaction:users", firstRun: false, issuers: [] },
    })),
    "config/inspect_permissions": read("public", () => ({ does: "read", body: { items: impliedRows } })),
    "config/inspect_security_rules": read("public", () => ({
      does: "read",
      body: { items: ruleRows },
    })),
    "config/inspect_type_system": read("public", () => ({
      does: "read",
      body: {
        items: new Like("every type of parameter", (actual) => {
          const known = new Set((Array.isArray(actual) ? (actual as Row[]) : []).map((row) => row.id));
          const used = Object.values(all()).flatMap(({ params }) => Object.values(params).map((p) => p.type));
          const missing = used.map((t) => t.replace(/^List<(.*)>$/, "$1")).filter((t) => !known.has(t));
          return missing.length > 0 ? `no ${missing}` : undefined;
        }),
      },
    })),
  };
}
