import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createFolder, writeInto } from "../support/temporary-folder.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const { call, run } = here;
const folder = createFolder();

const json = async (...command: Parameters<typeof run>) => JSON.parse((await run(...command)).stdout);

const file = (name: string, document: object) =>
  writeInto(folder, name, { $schema: "urn:metaction:model:2", ...document });

const attribute = (key: string, more: object = {}) => ({ key, type: "key:string", optional: true, ...more });

async function shop(key: string): Promise<{ readonly document: object; readonly path: string }> {
  const document = {
    key,
    name: "Shop",
    types: [{ key: "string" }, { key: "date" }],
    entities: [{ key: "customer", attributes: [attribute("mail"), attribute("born")] }, { key: "order" }],
  };
  const path = await file(`${key}.json`, document);
  expect(await run`apply ${path} --create --quiet`).toMatchObject({ code: 0, stderr: "" });
  return { document, path };
}

const changed = (key: string) =>
  file(`${key}-changed.json`, {
    key,
    name: "The shop",
    types: [{ key: "string" }, { key: "date" }],
    entities: [
      {
        key: "client",
        renamedFrom: "customer",
        attributes: [attribute("city", { optional: false }), attribute("mail")],
      },
      { key: "invoice", attributes: [attribute("number")] },
    ],
  });

describe("plan", () => {
  test("shows the steps under their objects, with sign, verb and class, and writes nothing", async () => {
    await shop("shown");
    const path = await changed("shown");
    const text = await run`plan ${path} --prune --output=text`;
    expect({ ...text, stdout: text.stdout.replaceAll(folder, "<folder>") }).toMatchSnapshot();
    const { dryRun, plan, stepCount } = await json`plan ${path} --prune`;
    expect([dryRun, plan.length, stepCount > 5]).toEqual([true, 64, true]);
    const { revision, name } = await call("model/model_get", { modelRef: "key:shown" });
    expect([revision, name]).toEqual([1, "Shop"]);
  });

  test("adds only colours on a terminal", async () => {
    await shop("coloured");
    const path = await changed("coloured");
    const colours = await here.user.onTerminal(`metaction plan '${path}' --prune`);
    expect(colours.stdout).toContain("\u001b[31m-\u001b[0m delete attribute born  (\u001b[31mbreaking: removed");
    expect(colours.stdout).toContain("\u001b[32m+\u001b[0m create");
    const plain = await here.user.onTerminal(`NO_COLOR=1 metaction plan '${path}' --prune`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours
    expect(plain.stdout).toBe(colours.stdout.replace(/\u001b\[\d+m/g, ""));
    expect(plain.stdout).toContain("- delete attribute born  (breaking: removed; consumers that use it will fail)");
    const environment = { FORCE_COLOR: "1" };
    const forced = await here.user.run(["plan", path, "--prune", "--output=text"], { environment });
    expect(forced.stdout).toContain("\u001b[31m-\u001b[0m delete");
  });

  test("suggests likely renames with the reason and the syntax", async () => {
    const { document } = await shop("renamed");
    const path = await file("renamed.json", {
      ...document,
      types: [{ key: "string" }, { key: "date" }, { key: "money" }],
      entities: [{ key: "customer", attributes: [attribute("mail"), attribute("birthday")] }, { key: "order" }],
    });
    const { stdout } = await run`plan ${path} --prune --output=text`;
    expect(stdout).toContain(
      '  ? attribute customer.born looks like birthday (65 %): both have the same type, the same position, the same neighbours, the same part in keys\n      if it is, write "renamedFrom": "born" next to the key birthday\n',
    );
    expect(stdout).toContain("  types\n    + create money  (additive)");
    // A descriptor has no such member, so that an action does it.
    const fields = ["mail", "birthday"].map((name) => ({ name, type: "string" }));
    const descriptor = { name: "renamed", resources: [{ name: "customer", schema: { fields } }] };
    const asPackage = await writeInto(folder, "datapackage.json", descriptor);
    const other = await run`plan ${asPackage} --output=text`;
    const [way = ""] = /metaction models entity_attribute_update_key .*/.exec(other.stdout) ?? [];
    expect((await here.user.shell(way)).code).toBe(0);
    const now = await json`plan ${asPackage}`;
    expect(now.likelyRenames).toEqual([]);
    expect(now.steps.filter((step: { objectType: string }) => step.objectType === "entityAttribute")).toEqual([]);
  });

  test("with --fail-on ends with 8 for steps of that class or a more severe one, and shows the plan", async () => {
    const { document } = await shop("failing");
    const breaking = await changed("failing");
    const cosmetic = await file("failing-cosmetic.json", { ...document, name: "Another" });
    for (const [least, code] of [
      ["breaking", 0],
      ["additive", 0],
      ["cosmetic", 8],
    ] as const) {
      const ended = await run`plan ${breaking} --prune --fail-on=${least}`;
      expect(ended.code).toBe(8);
      expect(JSON.parse(ended.stdout).breaking).toBeGreaterThan(0);
      expect((await run`plan ${cosmetic} --fail-on=${least}`).code).toBe(code);
    }
  });

  test.each([
    ["plan", "plan needs a file or a folder: metaction plan crm.yaml"],
    ["plan a.json b.json", "plan takes one file or folder; unexpected argument b.json"],
    ["plan nowhere.json", "nowhere.json does not exist"],
    ["plan nowhere.json --model=a --model=b", "--model was given twice."],
    [
      "plan nowhere.json --fail-on=worse",
      "--fail-on=worse: write breaking, behavioural, additive, operational, cosmetic, readers, writers\n",
    ],
    [
      "plan package.json --create --model=id:01890a5d-ac96-774b-bcce-b302099a8057",
      "--create creates a model under its key",
    ],
    ["plan nowhere.json --input=x.json", "--input does not apply to plan"],
  ])("ends with 2 and a sentence: %s", async (command, sentence) => {
    const ended = await run`${command.split(" ")}`;
    expect(ended).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(sentence) });
  });

  test("requires a model, and explains how to create it", async () => {
    const path = await file("nobody.json", { key: "nobody" });
    const { code, stderr } = await run`plan ${path}`;
    expect([code, stderr]).toEqual([3, "no model key:nobody; create it with --create\n"]);
    const nameless = await writeInto(folder, "nameless.json", { fields: [{ name: "isbn", type: "string" }] });
    const asked = await run`plan ${nameless}`;
    const needed = `${nameless} has no key that names its model; name the model with --model=<key>\n`;
    expect([asked.code, asked.stderr]).toEqual([2, needed]);
    expect((await json`plan ${nameless} --model=nobody --create`).key).toBe("nobody");
  });

  test("reads YAML and stdin, and refuses values that JSON does not have", async () => {
    await shop("yaml");
    const yaml = await writeInto(
      folder,
      "yaml.yaml",
      "$schema: urn:metaction:model:2\nkey: yaml\nname: The shop in YAML\n",
    );
    expect((await json`plan ${yaml}`).cosmetic).toBe(1);
    const piped = await here.user.shell(`metaction plan - --output=text < '${yaml}'`);
    expect(piped.stdout).toContain("stdin -> yaml (revision 1): 1 step: 1 cosmetic\n");
    for (const [text, sentence] of [
      ["key: yaml\nkey: twice\n", "is not valid YAML: Map keys must be unique"],
      ["key: yaml\nname: .nan\n", "contains what JSON cannot represent: NaN"],
      ["key: [1, 2\n", "is not valid YAML"],
      ["- a\n- b\n", "contains no object, so it is not a model"],
    ] as const) {
      await writeFile(yaml, text);
      const { code, stderr } = await run`plan ${yaml}`;
      expect([code, stderr.includes(`${yaml} ${sentence}`)], stderr).toEqual([2, true]);
    }
  });
});

describe("a text that is neither JSON nor YAML", () => {
  const DBML = "Table customer {\n  id int [pk]\n  mail varchar [note: 'How to reach them.']\n}\n";

  test("is the model named like its file, unless another one is named", async () => {
    const path = await writeInto(folder, "sold.dbml", DBML);
    const made = await run`apply ${path} --create --output=text --quiet`;
    expect(made).toMatchObject({ stderr: "", code: 0, stdout: expect.stringMatching(/^sold: created, revision 1 /) });
    const { entities } = await call("model/model_export", { modelRef: "key:sold" });
    expect(entities.map(({ key }: { key: string }) => key)).toEqual(["customer"]);
    expect(await json`plan ${path}`).toMatchObject({ stepCount: 0, recognised: { format: "dbml" } });
    await writeFile(path, DBML.replace("How to reach them.", "Where they read."));
    expect((await json`plan ${path} --format=dbml --model=sold`).cosmetic).toBe(1);
  });

  test("is read in the requested format, from stdin too", async () => {
    const path = await writeInto(folder, "sold.txt", DBML.replace("How to reach them.", "Where they read."));
    expect((await json`plan ${path}`).stepCount).toBe(1);
    expect((await run`plan ${path} --format=odcs`).code).toBe(2);
    const piped = await here.user.shell(`metaction plan - --output=text < '${path}'`);
    const nameless = "stdin has no key that names its model; name the model with --model=<key>\n";
    expect(piped).toEqual({ code: 2, stdout: "", stderr: nameless });
    const named = await here.user.shell(`metaction plan - --model=sold --output=text < '${path}'`);
    expect(named.stdout).toContain("stdin -> sold (revision 1): 1 step: 1 cosmetic\n");
  });

  test("is reported as unrecognised by the service if no format fits", async () => {
    const path = await writeInto(folder, "prose.txt", "Once upon a time there was no model.\n");
    const stderr = expect.stringContaining("not in another known format");
    expect(await run`plan ${path} --create`).toEqual({ code: 2, stdout: "", stderr });
  });

  test("may be a list, as of Avro schemas", async () => {
    const record = { type: "record", name: "Seen", fields: [{ name: "at", type: "long" }] };
    const path = await writeInto(folder, "events.json", [record]);
    expect(await json`plan ${path} --create`).toMatchObject({ key: "events", recognised: { format: "avro" } });
  });
});

describe("apply", () => {
  test("executes the plan, and changes nothing the second time", async () => {
    await shop("applied");
    const path = await changed("applied");
    const seen = await json`plan ${path} --prune`;
    const done = await run`apply ${path} --prune --allow-breaking`;
    expect(done.code).toBe(0);
    const answer = JSON.parse(done.stdout);
    expect([answer.plan, answer.changed, answer.revision]).toEqual([seen.plan, true, 2]);
    expect(done.stderr).toContain("> rename customer → client");
    expect((await run`apply ${path} --prune --output=text`).stdout).toBe("applied: unchanged, revision 2\n");
    const { entities } = await json`export applied`;
    expect(entities.map(({ key }: { key: string }) => key)).toEqual(["client", "invoice"]);
  });

  test("asks for confirmation on a terminal, and changes nothing without a yes", async () => {
    await shop("asked");
    const path = await changed("asked");
    const asked = "Apply to asked on";
    const no = await here.user.onTerminal(`metaction apply '${path}'; echo "code $?"`, [{ after: asked, text: "n\n" }]);
    expect(no.stdout).toContain("nothing was applied\r\ncode 130");
    expect((await call("model/model_get", { modelRef: "key:asked" })).revision).toBe(1);
    const yes = await here.user.onTerminal(`metaction apply '${path}'; echo "code $?"`, [
      { after: asked, text: "y\n" },
    ]);
    expect(yes.stdout).toMatch(/asked: updated, revision 2 \(\d+ steps: .*\)\r\ncode 0/);
    const taken = await here.user.onTerminal(
      `metaction apply '${path}' && metaction apply - < '${path}'; echo "code $?"`,
    );
    expect(taken.stdout).toContain("code 0");
    await call("model/model_update_name", { modelRef: "key:asked", name: "Moved" });
    expect((await here.user.onTerminal(`metaction apply - < '${path}'; echo "code $?"`)).stdout).toContain(
      "\u001b[31masked: cannot ask for confirmation, because stdin is not a terminal. Add --yes to apply without asking\u001b[0m\r\ncode 9",
    );
    const told = await here.user.onTerminal(`metaction apply - --yes < '${path}'; echo "code $?"`);
    expect(told.stdout).toContain("asked: updated, revision 4");
  });

  test("without a terminal needs --yes or --allow-breaking for steps that break or delete, and ends with 9", async () => {
    const { document } = await shop("scripted");
    const revision = async () => (await call("model/model_get", { modelRef: "key:scripted" })).revision;
    const additive = await file("scripted-more.json", { ...document, name: "More" });
    expect((await run`apply ${additive} --prune --idempotency-key=once`).code).toBe(0);
    const before = await revision();
    const fewer = await file("scripted-fewer.json", { ...document, name: "More", types: [{ key: "string" }] });
    const deleting = await run`apply ${fewer} --prune --quiet`;
    expect([deleting.code, deleting.stderr]).toEqual([
      9,
      expect.stringContaining("scripted: the plan deletes, and nothing"),
    ]);
    const breaking = await file("scripted-less.json", { ...document, entities: [{ key: "customer" }] });
    const held = await run`apply ${breaking} --prune --quiet`;
    expect([held.code, held.stdout]).toEqual([9, ""]);
    expect(held.stderr).toMatch(
      /^scripted: 1 step is breaking, and nothing was applied\. .* --allow-breaking or --yes$/m,
    );
    expect(await revision()).toBe(before);
    expect((await run`apply ${breaking} --prune --dry-run`).code).toBe(0);
    expect((await run`apply ${breaking} --prune --fail-on=breaking`).code).toBe(8);
    const reused = await run`apply ${breaking} --prune --yes --quiet --idempotency-key=once`;
    expect(reused).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining("idempotency key") });
    expect((await run`apply ${breaking} --prune --allow-breaking`).code).toBe(0);
    const whole = await file("scripted-whole.json", { ...document, key: "scripted-yes" });
    expect((await run`apply ${whole} --create`).code).toBe(0);
    expect((await run`apply ${breaking} --model=scripted-yes --prune --yes`).code).toBe(0);
  });

  test("with --create never merges into a model that was created from another file", async () => {
    const { document, path } = await shop("claimed");
    expect((await run`apply ${path} --create`).code).toBe(0);
    const other = await file("claimed-by-another.json", { ...document, name: "Another" });
    for (const command of ["plan", "apply"]) {
      const refused = await run`${command} ${other} --create --yes`;
      expect([refused.code, refused.stdout]).toEqual([6, ""]);
      expect(refused.stderr).toMatch(/The model claimed exists and was not made from \S*claimed-by-another\.json/);
    }
    const piped = await here.user.shell(`metaction apply - --create --yes < '${other}'`);
    const unnamed = expect.stringContaining("The model claimed exists, and nothing says");
    expect(piped).toEqual({ code: 6, stdout: "", stderr: unnamed });
    expect((await call("model/model_get", { modelRef: "key:claimed" })).revision).toBe(1);
    const { origin } = await json`export claimed`;
    expect(origin).toMatch(/claimed\.json$/);
    expect((await run`apply ${other} --create --source=${origin}`).code).toBe(0);
    expect((await run`apply ${path}`).code).toBe(0);
    expect((await run`apply ${other} --source=by-hand`).code).toBe(0);
    const history = await json`models history_version_changes --modelRef=claimed --query=items[].source`;
    expect(history).toEqual([origin, origin, "by-hand"]);
  });

  test("refuses unknown members and broken SQL in a file without --allow-unknown or --lenient", async () => {
    const path = await file("misspelt.json", { key: "misspelt", descripton: "A.", entities: [{ key: "a", tag: [] }] });
    const refused = await run`apply ${path} --create`;
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    for (const said of ['"descripton", did you mean "description"?', '"tag", did you mean "tags"?'])
      expect(refused.stderr).toContain(said);
    const allowed = await run`apply ${path} --create --allow-unknown`;
    expect(allowed).toMatchObject({ code: 0, stderr: expect.stringContaining("  note: /descripton ") });
    const sql = await writeInto(folder, "broken.txt", "CREATE TABLE x (a int, b text");
    const given = ["plan", sql, "--create", "--model=broken", "--format=postgresql"];
    expect(await run`${given}`).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("problem") });
    expect((await run`${given} --lenient`).code).toBe(0);
  });

  test("refuses an outdated plan, shows the new one and the next step", async () => {
    await shop("outdated");
    const path = await changed("outdated");
    const meanwhile = () =>
      call("model/entity_update_name", { modelRef: "key:outdated", entityRef: "key:order", value: "An order" });
    const { stdout } = await here.user.onTerminal(`metaction apply '${path}' --prune --no-color; echo "code $?"`, [
      { after: "Continue? [y/N]", text: "y\n", meanwhile },
    ]);
    const [first = "", then = ""] = stdout.split("Continue? [y/N]");
    expect(first).toContain("outdated (revision 1)");
    expect(then).toContain("outdated (revision 2)");
    expect(then).toContain("- delete");
    expect(then).toMatch(/nothing was applied; the current plan\s+is shown above\. To apply it, run the command again/);
    expect(then).toContain("code 6");
    expect((await call("model/model_get", { modelRef: "key:outdated" })).revision).toBe(2);
  });

  test("with --plan executes that plan and no other", async () => {
    await shop("reviewed");
    const path = await changed("reviewed");
    const { plan } = await json`plan ${path}`;
    await call("model/model_update_description", { modelRef: "key:reviewed", value: "Moved on." });
    const refused = await run`apply ${path} --plan=${plan}`;
    expect([refused.code, refused.stdout]).toEqual([6, ""]);
    expect(refused.stderr).toContain(`reviewed: plan ${plan} is outdated. To apply the current plan, use --plan=`);
    expect(refused.stderr).toContain("reviewed (revision 2)");
    const [, now] = /--plan=(\w{64})/.exec(refused.stderr) ?? [];
    const done = await run`apply ${path} --plan=${now} --allow-breaking`;
    expect([done.code, JSON.parse(done.stdout).plan]).toEqual([0, now]);
  });

  test("with --fail-on=breaking changes nothing and ends with 8", async () => {
    await shop("held");
    const { code, stdout, stderr } = await run`apply ${await changed("held")} --prune --fail-on=breaking --yes`;
    expect([code, stdout, stderr]).toEqual([8, "", expect.stringMatching(/^held: \d steps are breaking$/m)]);
    expect((await call("model/model_get", { modelRef: "key:held" })).revision).toBe(1);
  });

  test("with --dry-run prints the plan, and with --curl a command", async () => {
    await shop("dry");
    const path = await changed("dry");
    const [dry, planned] = [await json`apply ${path} --dry-run`, await json`plan ${path}`];
    expect([dry.plan, dry.dryRun]).toEqual([planned.plan, true]);
    expect((await run`plan ${path} --curl`).stdout).toMatch(/^curl \S+\/api\/model\/model_apply .*dry-run: true/);
    expect((await run`apply ${path} --curl`).stdout).toMatch(/^curl \S+\/api\/model\/model_apply (?!.*dry-run)/);
    expect((await call("model/model_get", { modelRef: "key:dry" })).revision).toBe(1);
  });

  test("prints the problems of a document, and reports a missing sign-in", async () => {
    const path = await file("wrong.json", { key: "library", entities: [{ key: "a\\b" }, { key: "c'd" }] });
    const { code, stderr } = await run`apply ${path}`;
    expect([code, stderr.split("\n").length]).toEqual([2, 4]);
    expect((await run`apply ${path} --profile=default --token=none`).code).toBe(4);
  });
});
