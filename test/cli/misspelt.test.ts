import { beforeAll, describe, expect, test } from "vitest";
import type { Description } from "../../cli/calls/description.ts";
import { knowService } from "../../cli/calls/known-service.ts";
import { COMMANDS, type CommandName } from "../../cli/input/commands.ts";
import { COMMON_FLAGS, type OwnFlag } from "../../cli/input/flags.ts";
import { listOutputForms } from "../../cli/output/output.ts";
import { run } from "../../cli/run.ts";
import { EXIT, findExitCode, formatErrorLines } from "../../cli/terminal/failure.ts";
import type { Terminal } from "../../cli/terminal/terminal.ts";
import { createTextStream } from "../../cli/terminal/text-stream.ts";
import { toCommandGroup } from "../../shared/domain/channels.ts";
import { useSignedIn } from "./support/signed-in.ts";

const here = useSignedIn();
let place: Terminal;
let description: Description;

beforeAll(async () => {
  place = {
    environment: { METACTION_URL: here.service.url },
    home: here.user.home,
    stdin: process.stdin,
    stdout: createTextStream(process.stdout),
    stderr: createTextStream(process.stderr),
    now: Date.now,
    signal: new AbortController().signal,
  };
  ({ description } = await knowService(place, here.service.url));
});

async function refusal(given: readonly string[], environment: Terminal["environment"] = {}): Promise<string> {
  const error = await run({ ...place, environment: { ...place.environment, ...environment } }, given).then(
    (code) => new Error(`${given.join(" ")} ended with ${code}`),
    (thrown: unknown) => thrown,
  );
  expect(findExitCode(error), given.join(" ")).toBe(EXIT.usage);
  return formatErrorLines(error).join("\n");
}

const slip = (word: string) => `${word}${word.at(-1)}`;

const WORDS: Readonly<Record<string, readonly string[]>> = {
  import: ["datapackage.json"],
  export: ["library"],
  diff: ["library", "library"],
  release: ["library", "9.0.0"],
  grant: ["admin", "reader"],
  undo: ["01890a5d-ac96-774b-bcce-b302099a8057"],
  show: ["library"],
  plan: ["datapackage.json"],
  apply: ["datapackage.json"],
  pull: ["library"],
  search: ["loan"],
  completion: ["bash"],
};

const VERBS = Object.keys(COMMANDS) as readonly CommandName[];
const wordsOf = (verb: string): readonly string[] => [verb, ...(WORDS[verb] ?? [])];

const written = (name: string, { form }: Pick<OwnFlag, "form">) => (form === "text" ? `--${name}=x` : `--${name}`);

const commonFlags = (): readonly (readonly [string, Pick<OwnFlag, "form">])[] => Object.entries(COMMON_FLAGS);

describe("a misspelt flag", () => {
  test.each(VERBS.filter((verb) => verb !== "start"))("of %s", async (verb) => {
    for (const [name, flag] of [...commonFlags(), ...Object.entries(COMMANDS[verb].flags ?? {})]) {
      const said = await refusal([...wordsOf(verb), written(slip(name), flag)]);
      expect(said).toMatch(new RegExp(`has no flag --${slip(name)}; did you mean --${name}\\?$`));
    }
    expect(await refusal([...wordsOf(verb), "--quodlibet"])).toMatch(/has no flag --quodlibet; see: metaction help/);
  });

  test("of start, which has no flags of calls", async () => {
    for (const [name, flag] of [...Object.entries(COMMANDS.start.flags ?? {}), ["help", COMMON_FLAGS.help] as const])
      expect(await refusal(["start", written(slip(name), flag)])).toBe(
        `start has no flag --${slip(name)}; did you mean --${name}?`,
      );
    expect(await refusal(["start", "--quiett"])).toBe("start has no flag --quiett; see: metaction help start");
    expect(await refusal(["start", "--port=70000"])).toMatch(/^--port=70000 is not a port; /);
  });

  test("of an action, its own and the common ones", async () => {
    for (const [name, flag] of [...commonFlags(), ["modelRef", { form: "text" }] as const]) {
      const said = await refusal(["models", "model_get", written(slip(name), flag)]);
      expect(said).toBe(`model model_get has no flag --${slip(name)}; did you mean --${name}?`);
    }
    expect(await refusal(["models", "--outputt=json"])).toBe(
      "model model_list has no flag --outputt; did you mean --output?",
    );
    expect(await refusal(["models", "model_get", "-x"])).toBe(
      "model model_get has no flag -x; see: metaction help models model_get",
    );
  });

  test.each(["import", "export", "diff", "release"])("before the arguments of %s", async (verb) => {
    const said = await refusal([verb, "--outputt=json", ...(WORDS[verb] ?? [])]);
    expect(said).toMatch(/has no flag --outputt; did you mean --output\?$/);
  });

  test("before the command, and without one", async () => {
    expect(await refusal(["--outputt=json", "show", "library"])).toContain("did you mean --output?");
    expect(await refusal(["--profilee=x"])).toBe("metaction has no flag --profilee; did you mean --profile?");
    expect(await refusal(["--versionn"])).toBe("metaction has no flag --versionn; did you mean --version?");
  });
});

describe("a misspelt value of a flag with a fixed set", () => {
  test.each(VERBS.filter((verb) => !["help", "start"].includes(verb)))("of %s", async (verb) => {
    const own = Object.entries(COMMANDS[verb].flags ?? {}).map(([name, { values = [] }]) => [name, values] as const);
    for (const [name, values] of [...own, ["output", listOutputForms(verb)] as const]) {
      for (const value of values) {
        const said = await refusal([...wordsOf(verb), `--${name}=${slip(value)}`]);
        expect(said).toBe(`--${name}=${slip(value)}: write ${values.join(", ")}; did you mean ${value}?`);
      }
    }
  });

  test("of a parameter of any action", async () => {
    const few = description.actions.flatMap(({ group, name, parameters }) =>
      parameters.filter(({ values }) => values.length > 0).map((parameter) => ({ group, name, parameter })),
    );
    expect(few.length).toBeGreaterThan(5);
    for (const { group, name, parameter } of few) {
      const [value = ""] = parameter.values;
      const said = await refusal([group, name, `--${parameter.name}=${slip(value)}`]);
      expect(said, `${group} ${name}`).toContain(`"${slip(value)}"`);
      expect(said, `${group} ${name}`).toContain(`did you mean ${value}?`);
    }
  });

  test("of --as, with the name of the flag", async () => {
    expect(await refusal(["diff", "library", "library", "--as=postgresq"])).toMatch(
      /^--as: must be one of .*, not "postgresq"; did you mean postgresql\?$/,
    );
    expect(await refusal(["export", "library", "--as=dbmll"])).toMatch(
      /^--as: must be one of .*, not "dbmll"; did you mean dbml\?$/,
    );
    expect(await refusal(["completion", "bsh"])).toBe("Unknown shell bsh; did you mean bash?");
    expect(await refusal(["completion"])).toContain("completion needs one of bash, zsh, fish");
  });
});

describe("a misspelt profile", () => {
  const CALLS = [["whoami"], ["models"], ["show", "library"], ["config"], ["logout"], ["plan", "x.json"]];

  test.each(CALLS)("of %s", async (...call) => {
    expect(await refusal([...call, "--profile=defaultt"])).toBe(
      "--profile names profile defaultt, which does not exist; did you mean default?",
    );
    expect(await refusal(call, { METACTION_PROFILE: "defualt" })).toBe(
      "METACTION_PROFILE names profile defualt, which does not exist; did you mean default?",
    );
    expect(await refusal([...call, "--profile=production"])).toBe(
      "--profile names profile production, which does not exist; see: metaction use (profiles: default)",
    );
  });

  test("of use", async () => {
    expect(await refusal(["use", "defaultt"])).toBe("Unknown profile defaultt; did you mean default?");
  });
});

describe("a misspelt word", () => {
  test.each(VERBS)("for the command %s", async (verb) => {
    expect(await refusal([slip(verb)])).toBe(`Unknown group or command ${slip(verb)}; did you mean ${verb}?`);
    expect(await refusal([slip(verb), "library"])).toBe(`Unknown group ${slip(verb)}; did you mean ${verb}?`);
    expect(await refusal(["help", slip(verb)])).toBe(`Unknown group or command ${slip(verb)}; did you mean ${verb}?`);
  });

  test("for a command, without a service", async () => {
    expect(await refusal(["shwo"], { METACTION_URL: "http://127.0.0.1:1" })).toBe(
      "Unknown group or command shwo; did you mean show?",
    );
  });

  test("for a group", async () => {
    for (const group of description.groups.map(({ name }) => toCommandGroup(name))) {
      const word = slip(group);
      expect(await refusal([word])).toBe(`Unknown group or command ${word}; did you mean ${group}?`);
      expect(await refusal([word, "x"])).toBe(`Unknown group ${word}; did you mean ${group}?`);
    }
    expect(await refusal(["quodlibet", "x"])).toMatch(/^Unknown group quodlibet; see: metaction help \(groups: /);
  });

  test("for an action", async () => {
    for (const { group, name } of description.actions)
      expect(await refusal([group, slip(name)])).toBe(`Unknown action ${group} ${slip(name)}; did you mean ${name}?`);
    expect(await refusal(["tag", "quodlibet"])).toBe("Unknown action tag quodlibet; see: metaction help tag");
  });
});

test("a description is asked for by its tag, used while the service is away, and replaced by a newer one", async () => {
  const url = here.service.url;
  const tags: unknown[] = [];
  let reply: () => Promise<Response> = async () => new Response(null, { status: 304 });
  const know = async () => {
    const send: typeof fetch = async (_, options) => {
      tags.push(new Headers(options?.headers).get("if-none-match"));
      return reply();
    };
    const { description, isCurrent } = await knowService(place, url, { current: true, fetch: send });
    return [description.version, isCurrent];
  };
  const api = (await (await fetch(`${url}/api`)).json()) as { readonly info: object };
  expect(await know()).toEqual([description.version, true]);
  expect(tags).toEqual([expect.stringMatching(/^"/)]);
  reply = () => Promise.reject(new TypeError("no connection"));
  expect(await know()).toEqual([description.version, false]);
  reply = async () => Response.json({ ...api, info: { ...api.info, version: "99.0.0" } });
  expect(await know()).toEqual(["99.0.0", true]);
});
