import { beforeAll, describe, expect, test } from "vitest";
import { type OpenApi, toDescription } from "../../cli/calls/description.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
const { call } = here;
const ids = { actor: "", token: "", model: "" };

beforeAll(async () => {
  await call("tag/tag_group_create", { key: "privacy" });
  await call("tag/tag_global_create", { groupRef: "key:privacy", key: "pii" });
  await call("model/model_create", { key: "other", name: "Other" });
  await call("tag/tag_local_create", { modelRef: "key:other", key: "elsewhere" });
  const inRelationship = { modelRef: "key:library", relationshipRef: "key:loan_book" };
  await call("model/relationship_attribute_create", {
    ...inRelationship,
    attributeKey: "since",
    type: "key:date",
    optional: true,
  });
  const inBook = { modelRef: "key:library", entityRef: "key:book" };
  await call("model/business_key_create", { ...inBook, key: "title", participants: ["key:title"] });
  await call("auth/service_account_create", { key: "nightly", name: "Nightly export" });
  ids.token = (await call("auth/token_create", { name: "Nightly" })).id;
  ids.actor = (await call("auth/actor_list")).items[0].id;
  ids.model = (await call("model/model_get", { modelRef: "key:library" })).id;
});

/** Completes a line, and answers the proposals, each with its description behind a tab. */
async function lines(line: string): Promise<readonly string[]> {
  const { stdout, code } = await here.run`complete -- ${line}`;
  expect(code).toBe(0);
  return stdout.split("\n").filter(Boolean);
}

const words = async (line: string): Promise<readonly (string | undefined)[]> =>
  (await lines(line)).map((text) => text.split("\t")[0]);

const inLibrary = "--modelRef=key:library";

const REFS: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ["models entity_get --modelRef=key:lib", ["--modelRef=key:library"]],
  ["models entity_get --model-ref key:lib", ["key:library"]],
  [`models entity_get ${inLibrary} --entityRef=key:l`, ["--entityRef=key:loan"]],
  [`models entity_get ${inLibrary} --entityRef `, ["key:book", "key:loan"]],
  [`models entity_attribute_get ${inLibrary} --entityRef=key:loan --attributeRef=key:d`, ["--attributeRef=key:due"]],
  [
    `models entity_primary_key_update ${inLibrary} --entityRef=key:loan --attributeRef=key:me`,
    ["--attributeRef=key:member"],
  ],
  [
    `models relationship_role_delete ${inLibrary} --relationshipRef=key:loan_book --relationshipRoleRef=key:b`,
    ["--relationshipRoleRef=key:book"],
  ],
  ["models model_compare --leftModelRef=key:library --leftModelVersion=", ["--leftModelVersion=1.2.0"]],
  ["tag tag_group_get --tagGroupRef=", ["--tagGroupRef=key:privacy"]],
  ["tag tag_global_get --tagRef=", ["--tagRef=key:privacy/pii"]],
  [`tag tag_local_get ${inLibrary} --tagRef=`, ["--tagRef=key:books", "--tagRef=key:public_sector"]],
  [`models entity_add_tag ${inLibrary} --tagRef=key:p`, ["--tagRef=key:privacy/pii", "--tagRef=key:public_sector"]],
  ["models entity_add_tag --tagRef=", ["--tagRef=key:privacy/pii"]],
  [`models entity_add_tag --entityRef=key:book ${inLibrary} --tagRef=key:b`, ["--tagRef=key:books"]],
  ["auth role_get --roleRef=key:m", ["--roleRef=key:manager"]],
  ["auth user_enable --username=", ["--username=admin"]],
  [`models type_get ${inLibrary} --typeRef=key:bool`, ["--typeRef=key:boolean"]],
  [`models relationship_get ${inLibrary} --relationshipRef=`, ["--relationshipRef=key:loan_book"]],
  [
    `models relationship_attribute_get ${inLibrary} --relationshipRef=key:loan_book --attributeRef=`,
    ["--attributeRef=key:since"],
  ],
  [
    `models business_key_get ${inLibrary} --businessKeyRef=`,
    ["--businessKeyRef=key:book_isbn", "--businessKeyRef=key:title"],
  ],
  ["property definition_update_impact --definitionRef=key:dep", ["--definitionRef=key:deprecated"]],
  ["auth can --models=key:o", ["--models=key:other"]],
  ["auth service_account_disable --serviceAccountRef=key:", ["--serviceAccountRef=key:nightly"]],
  ["auth user_create --roleRefs=key:m", ["--roleRefs=key:manager"]],
];

const IDS = ["auth actor_get --actorRef=", "auth token_revoke --tokenId "] as const;

describe("candidates for a word", () => {
  test("are groups, actions and parameters, with descriptions", async () => {
    expect(await words("metaction mod")).toEqual(["models"]);
    expect(await lines("metaction models entity_g")).toEqual(["entity_get\tGet entity"]);
    expect(await words("metaction help models entity_g")).toEqual(["entity_get"]);
    expect(await words("metaction models entity_get --")).toEqual(expect.arrayContaining(["--modelRef=", "--output="]));
    expect(await words(`metaction models entity_get ${inLibrary} --model`)).toEqual([]);
    expect(await words("metaction completion ")).toEqual(["bash", "zsh", "fish"]);
    expect(await words("metaction login --iss")).toEqual(["--issuer="]);
    expect(await words("metaction models model_create --key=")).toEqual([]);
  });

  test("are values for the flags of every command", async () => {
    expect(await words("metaction models model_list -o nd")).toEqual(["ndjson"]);
    expect(await words("metaction --output=ya")).toEqual(["--output=yaml"]);
    expect(await words("metaction whoami --profile ")).toEqual(["default"]);
    expect(await words("metaction --profile default models model_l")).toEqual(["model_list"]);
    expect(await words("metaction diff a b --fail-on=br")).toEqual(["--fail-on=breaking"]);
    expect(await words("metaction diff a b --as=")).toEqual(["--as=postgresql", "--as=markdown"]);
    expect(await words("metaction diff a b --as m")).toEqual(["markdown"]);
    expect(await words("metaction search loan --limit=")).toEqual([]);
  });

  test("are values from the description of the service", async () => {
    expect(await words("metaction models model_update_authority --value=c")).toEqual(["--value=canonical"]);
    expect(await words("metaction auth token_create --permissions=model_re")).toEqual([
      "--permissions=model_read",
      "--permissions=model_release",
    ]);
    expect(await words("metaction auth can --actions=model/entity_c")).toEqual(["--actions=model/entity_create"]);
  });

  test.each(REFS)("are refs from the service: %s", async (line, expected) => {
    expect(await words(`metaction ${line}`)).toEqual(expected);
  });

  test("are refs for every action that takes one", async () => {
    const { actions } = toDescription((await (await fetch(`${here.service.url}/api`)).json()) as OpenApi);
    const all = actions.flatMap(({ parameters }) => parameters.map(({ type }) => type));
    const tried = [...REFS.map(([line]) => line), ...IDS].map((line) => {
      const [group = "", action] = line.split(" ");
      const parameter = /--(\w+)[= ][^ ]*$/.exec(line)?.[1] ?? "";
      const called = actions.find((one) => one.group === group.replace(/s$/, "") && one.name === action);
      return called?.parameters.find(({ name }) => name === parameter)?.type;
    });
    const refs = new Set(all.filter((type) => /(Ref|Id)>?$/.test(type)));
    expect(refs.size).toBeGreaterThan(15);
    // An object of any kind cannot be listed, sessions have no names, and the test of jobs looks at theirs.
    expect([...refs].filter((type) => !tried.includes(type)).sort()).toEqual([
      ...["JobRef", "ObjectId", "RunRef", "SessionId"],
    ]);
  });

  test("are ids, with the names of their objects", async () => {
    expect(await lines(`metaction ${IDS[0]}`)).toContain(`--actorRef=${ids.actor}\tadmin`);
    expect(await lines(`metaction ${IDS[1]}`)).toEqual([`${ids.token}\tNightly`]);
    for (const start of ["", ids.model.slice(0, 8)])
      expect(await lines(`metaction models model_get --modelRef=id:${start}`)).toContain(
        `--modelRef=id:${ids.model}\tkey:library`,
      );
  });

  test("contain no character with a meaning for a shell, and are not read from stdin", async () => {
    await here.service.call("model/entity_create", { modelRef: "key:other", entityKey: "a;b $(c)" }, here.token);
    expect(await words("metaction models entity_get --modelRef=key:other --entityRef=")).toEqual([]);
    expect(await words("metaction models entity_get --modelRef=- --entityRef=")).toEqual([]);
  });
});

describe("the scripts", () => {
  const line = "metaction models entity_get --modelRef=key:lib";

  test("complete in bash, which splits words at = and :", async () => {
    const { stdout, stderr } = await here.user.shell(
      `source <(metaction completion bash)
       COMP_LINE='${line}' COMP_POINT=${line.length}
       COMP_WORDS=(metaction models entity_get --modelRef = key : lib) COMP_CWORD=7
       _metaction; echo "\${COMPREPLY[@]}"`,
    );
    expect([stderr, stdout]).toEqual(["", "library\n"]);
  });

  test("complete in bash, which offers files after @", async () => {
    const { stdout } = await here.user.shell(
      `source <(metaction completion bash)
       COMP_LINE='metaction models import --content=@LIC' COMP_POINT=38
       COMP_WORDS=(metaction models import --content = @ LIC) COMP_CWORD=6
       _metaction; echo "\${COMPREPLY[@]}"`,
    );
    expect(stdout).toBe("LICENSE\n");
  });

  test("are printed for each known shell only", async () => {
    for (const shell of ["bash", "zsh", "fish"])
      expect((await here.run`completion ${shell}`).stdout).toContain("metaction complete -- ");
    expect((await here.run`completion csh`).code).toBe(2);
  });
});

test.each([
  ["apply --fail", ["--fail-on=", "--fail-fast"]],
  [
    "plan crm.json --fail-on=",
    ["breaking", "behavioural", "additive", "operational", "cosmetic", "readers", "writers"].map(
      (one) => `--fail-on=${one}`,
    ),
  ],
  ["apply --format=f", ["--format=frictionless"]],
  ["pull library --format=m", ["--format=metaction"]],
  ["apply --model=lib", ["--model=library"]],
  ["export lib", ["library"]],
  ["pull lib", ["library"]],
  // Files are the shell's.
  ["apply exam", []],
  ["pull library lib", []],
  ["show library lo", ["loan"]],
  ["use de", ["default"]],
  ["use --out", ["--output="]],
  ["export library --version=", ["--version=1.2.0"]],
  ["export library --version 1", ["1.2.0"]],
  ["init --user", ["--username="]],
  ["grant ad", ["admin"]],
  ["grant admin rea", ["reader"]],
  ["grant admin reader --rev", ["--revoke"]],
  ["release lib", ["library"]],
  ["search --kind=att", ["--kind=attribute"]],
  ["search --models=lib", ["--models=library"]],
  ["search --tag=priv", ["--tag=privacy/pii"]],
])("the flags and the words of a command are completed: %s", async (line, expected) => {
  expect(await words(`metaction ${line}`)).toEqual(expected);
});
