import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const { call, json, run, shown } = here;

beforeAll(async () => {
  const bob = { username: "bob", fullname: "Bob Example", password: "Violet-Harbor-8-Lantern", admin: false };
  for (const [action, payload] of [
    ["tag/tag_group_create", { key: "privacy" }],
    ["tag/tag_global_create", { groupRef: "key:privacy", key: "personal" }],
    [
      "model/entity_attribute_add_tag",
      { modelRef: "key:library", entityRef: "key:loan", attributeRef: "key:member", tagRef: "key:privacy/personal" },
    ],
    ["model/model_create", { key: "crm", name: "Customers" }],
    ["model/entity_create", { modelRef: "key:crm", entityKey: "a,b", name: "Comma" }],
    ["auth/user_create", bob],
  ] as const)
    await call(action, payload);
});

test("models without arguments lists the models, and with an argument runs an action", async () => {
  expect((await json`models`).map(({ key }: { key: string }) => key)).toEqual(["crm", "library"]);
  expect((await shown("models")).slice(1).map((line) => line.split(" ")[0])).toEqual(["crm", "library"]);
  expect((await json`models --limit=1 --quiet`).length).toBe(1);
  expect((await json`--no-color models model_get --modelRef=crm`).key).toBe("crm");
  expect((await run`models --help`).stdout).toContain("metaction models <action>");
});

describe("bare words", () => {
  test("are keys or ids in place of refs", async () => {
    const { id } = await json`models model_get --model-ref crm`;
    expect((await json`models model_get --modelRef=${id}`).key).toBe("crm");
    expect((await json`models entity_get --modelRef=library --entityRef=loan`).key).toBe("loan");
    const none = await run`models model_get --modelRef=none`;
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining("none") });
    // A username stays what it is.
    expect((await run`auth user_disable --username=bob --curl`).stdout).toContain('{"username":"bob"}');
    expect((await run`auth actor_add_role --roleRef=reader --actorId=x --curl`).stdout).toContain('"key:reader"');
  });

  test("are lists separated by commas; keys with commas have an exact form", async () => {
    const sent = async (...flags: string[]) => {
      const { stdout } =
        await run`models entity_primary_key_update --modelRef=library --entityRef=loan --curl ${flags}`;
      return JSON.parse(/--json '(.*)'/.exec(stdout)?.[1] ?? "").attributeRef;
    };
    expect(await sent("--attributeRef=book,member")).toEqual(["key:book", "key:member"]);
    expect(await sent("--attributeRef=key:book,key:member")).toEqual(["key:book", "key:member"]);
    expect(await sent("--attributeRef=book", "--attributeRef=member")).toEqual(["key:book", "key:member"]);
    expect(await sent("--attributeRef=key:a,b")).toEqual(["key:a,b"]);
    expect(await sent("--attributeRef=a,b", "--attributeRef=c")).toEqual(["key:a,b", "key:c"]);
    expect(await sent('--attributeRef=["key:a,b"]')).toEqual(["key:a,b"]);
    const permissions = await run`auth token_create --name=n --permissions=model_read,model_write --curl`;
    expect(permissions.stdout).toContain('"permissions":["model_read","model_write"]');
  });
});

describe("search", () => {
  test("finds by text, tag and kind, in some models or in all", async () => {
    const paths = async (...args: string[]): Promise<readonly string[]> =>
      (await json`search ${args}`).items.map(({ path }: { path: string }) => path);
    expect(await paths("member")).toContain("library/loan.member");
    expect(await paths("--tag=privacy/personal")).toEqual(["library/loan.member"]);
    expect(await paths("--tag", "privacy/personal", "--kind=entity")).toEqual([]);
    expect(await paths("--kind=entity", "--models=library")).toEqual(["library/book", "library/loan"]);
    expect(await paths("--kind=entity,,model", "--models", "crm")).toEqual(["crm", "crm/a,b"]);
    expect(await paths("loan", "--kind=attribute")).toEqual([]);
    expect((await run`search loan --curl`).stdout).not.toContain("models");
    expect(await paths("--tag=books", "--kind=model,entity")).toEqual(["library", "library/book", "library/loan"]);
  });

  test("finds each match once if they fill several pages", async () => {
    const types = Array.from({ length: LIMITS.pageRows + 1 }, (_, i) => ({ key: `t${i}` }));
    await call("model/import", { content: { $schema: "urn:metaction:model:2", key: "many", types } });
    expect((await json`search --kind=type --models=many --limit=2000`).items).toHaveLength(types.length);
    expect(await run`search loan --curl`).toMatchObject({ code: 0, stdout: expect.stringMatching(/^curl .*search /) });
  });

  test("shows paths, kinds and names on a terminal", async () => {
    expect(await shown("search member --kind=attribute")).toMatchSnapshot();
    expect(await shown("search --kind=entity --limit=1")).toEqual([
      expect.stringMatching(/^path +kind/),
      expect.stringMatching(/^crm\/a,b +entity +Comma/),
      "More matches: --limit=10",
    ]);
  });
});

test("release releases a model", async () => {
  expect(await json`release library 1.3.0`).toMatchObject({ key: "library", changed: true });
  expect((await json`models model_get --modelRef=library`).version).toBe("1.3.0");
});

describe("grant", () => {
  test("gives a role for some models, and removes it", async () => {
    const bob = async (): Promise<readonly object[]> => {
      const { items } = await json`auth user_list`;
      const { actorId } = items.find(({ username }: { username: string }) => username === "bob");
      return (await json`auth actor_get --actorId=${actorId}`).scopedRoles;
    };
    expect((await json`grant bob reader --models=crm*,library`).items).toMatchObject([
      { actor: "bob", role: "key:reader", models: "crm*", changed: true },
      { actor: "bob", role: "key:reader", models: "library", changed: true },
    ]);
    expect(await bob()).toHaveLength(2);
    expect((await json`grant bob reader --models=library --revoke`).items[0].changed).toBe(true);
    expect(await bob()).toHaveLength(1);
    expect((await json`grant bob reader`).items).toMatchObject([{ models: "*", changed: true }]);
  });

  test("is one curl command for each role", async () => {
    const curl = await run`grant bob reader --models=crm --curl`;
    expect(curl.stdout).toMatch(/^curl .*\/api\/auth\/actor_add_role .*"models":"crm"/);
  });
});

describe("undo", () => {
  const begin = async (): Promise<string> => (await json`models run_begin --title=Task`).id;
  const rename = (run: string, model: string, name: string) =>
    json`models model_update_name --modelRef=${model} --name=${name} --run=${run}`;
  const nameOf = async (model: string) => (await json`models model_get --modelRef=${model}`).name;

  test("takes back a run in all its models, or in one", async () => {
    const before = [await nameOf("crm"), await nameOf("library")];
    const id = await begin();
    for (const model of ["crm", "library"]) await rename(id, model, "Renamed");
    expect((await run`undo ${id} --dry-run`).stderr).toMatch(/^library: 1 step: 1 \w+\ncrm: 1 step: 1 \w+\n$/);
    expect((await json`undo ${id} --dry-run --quiet`).items).toMatchObject([{ steps: 1 }, { steps: 1 }]);
    expect((await json`undo ${id} crm --quiet`).items).toMatchObject([
      { model: "crm", changed: true, steps: 1, conflicts: 0 },
    ]);
    expect(await nameOf("library")).toBe("Renamed");
    await json`undo ${id} --quiet`;
    expect([await nameOf("crm"), await nameOf("library")]).toEqual(before);
  });

  test("shows what somebody else changed since, and needs a flag for breaking steps without a terminal", async () => {
    const id = await begin();
    await json`models entity_create --modelRef=crm --entityKey=made --run=${id}`;
    const refused = await run`undo ${id}`;
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("--allow-breaking")]);
    await json`models entity_update_name --modelRef=crm --entityRef=made --value=Theirs`;
    expect((await run`undo ${id}`).stderr).toContain("entity made: somebody else changed it since");
    await json`undo ${id} --on-conflict=back --allow-breaking --quiet`;
    expect((await run`models entity_get --modelRef=crm --entityRef=made`).code).toBe(3);
    const none = await run`undo ${await begin()}`;
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining("no commit")]);
  });
});

test.each([
  ["search", 2, "search needs a text"],
  ["search x --kind=field", 2, "write model, type, entity, attribute"],
  ["search x --limit=0", 2, "--limit=0"],
  ["search x --model=crm", 2, "search has no flag --model; did you mean --models?\n"],
  ["search x --models=library,crm --models=crm", 3, "library,crm"],
  ["search --tag=personal", 3, "No model has a tag personal; did you mean --tag=privacy/personal?\n"],
  ["search x --models=none", 3, "none"],
  ["release library 1.2.0", 2, "1.2.0"],
  ["release library", 2, "metaction release crm 1.2.0"],
  ["export --as=dbml", 2, "export needs a model: metaction export crm"],
  ["grant bobb reader", 3, "Unknown actor bobb; did you mean bob?\n"],
  ["grant bob", 2, "metaction grant bob reader"],
  ["grant bob none", 3, "none"],
])("%s ends with %i and a remedy: %s", async (command, code, sentence) => {
  expect(await run`${command.split(" ")}`).toEqual({ code, stdout: "", stderr: expect.stringContaining(sentence) });
});
