import { describe, expect, test } from "vitest";
import { codeOnly } from "./support/code-only.ts";
import { type Source, sources } from "./support/sources.ts";

/** A ban on something that code of ours does not do, but in the files it names. */
interface Ban {
  readonly what: string;
  readonly because: string;
  readonly pattern: RegExp;
  /** Searches the raw text instead of the code without strings and comments. */
  readonly inText?: true;
  /** The files it holds for; all of them unless told otherwise. */
  readonly where?: RegExp;
  readonly but?: RegExp;
  readonly caught: string;
  readonly free: string;
}

const PRODUCT = /^(shared|functions|local|infra)\//;
const SERVER = /^(shared|functions)\//;

const BANS: readonly Ban[] = [
  {
    what: "read the environment",
    because: "settings come in as arguments, from the entry points",
    pattern: /\bprocess\s*\.\s*env\b/,
    where: PRODUCT,
    // The client of the bundle reads the region as the SDK does, whose place it takes.
    but: /^(functions\/\w+\/handler|functions\/aws\/dynamodb-client|functions\/web\/build|local\/(main|fsck|reopen|rotate-keys)|infra\/app)\.ts$/,
    caught: 'const port = process.env["PORT"];',
    free: 'const port = settings.port; // process.env.PORT, for example "process.env"',
  },
  {
    what: "read the clock or draw random numbers",
    because: "both come in with the Runtime, so that tests can choose them",
    pattern: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bMath\s*\.\s*random\b|\brandomUUID\b/,
    where: PRODUCT,
    // The client takes the place of the SDK, which signs by the clock of the machine.
    but: /^(shared\/service\/runtime|functions\/aws\/dynamodb-client)\.ts$/,
    caught: "const late = Date.now() > deadline;",
    free: "const late = runtime.now() > deadline; new Date(runtime.now());",
  },
  {
    what: "wait on the event loop",
    because: "the simulator runs these folders in virtual time, in which only `sleep` of the runtime ends",
    pattern: /\b(setImmediate|setTimeout|setInterval)\b/,
    where: SERVER,
    but: /^(functions|shared\/(formats|http|search|service))\//,
    caught: "await new Promise((resolve) => setImmediate(resolve));",
    free: "await runtime.sleep(0);",
  },
  {
    what: "print with console",
    because: "lines go through the log, which knows what is secret",
    pattern: /\bconsole\s*\./,
    where: PRODUCT,
    caught: 'console.log("here");',
    free: 'log("console.log");',
  },
  {
    what: "write to stdout or stderr but through a text stream",
    because: "what comes from elsewhere is escaped there, so that no terminal obeys it",
    pattern: /\bprocess\s*\.\s*std(?:out|err)\b|\bconsole\s*\.|\bwriteSync\b|\}\s*=\s*process\b|\bforTyping\b/,
    where: /^cli\//,
    but: /^cli\/(main|terminal\/(terminal|text-stream))\.ts$/,
    caught: "process.stderr.write(error.message);",
    free: "terminal.stderr.writeLine(error.message); // process.stderr",
  },
  {
    what: "import from zod otherwise than as z from zod/mini",
    because: "named imports of z cannot be shaken out of the bundle, and the classic build is larger",
    pattern: /import\s*(?:type\s*)?\{[^}]*\bz\b[^}]*\}\s*from|from\s+"zod(?:\/(?!mini")[^"]*)?"/,
    inText: true,
    // The mini build cannot read a JSON Schema.
    but: /^test\/(shape\/bans\.test|formats\/published-schema)\.ts$/,
    caught: 'import { z } from "zod";',
    free: 'import * as z from "zod/mini";',
  },
  {
    what: "use any",
    because: "it switches the compiler off",
    pattern: /\bas\s+any\b|[:<]\s*any\b/,
    where: PRODUCT,
    caught: "const answer = body as any;",
    free: "const answer: unknown = body; // as any",
  },
  {
    what: "spell a key of the table",
    because: "keys are made in shared/store/table/keys.ts, where their design is proven",
    pattern: /["`][a-z_]+#|\}#/,
    inText: true,
    where: PRODUCT,
    but: /^shared\/store\/table\/keys\.ts$/,
    caught: "const pk = `model#`;",
    free: 'const place = "#pk = :pk";',
  },
  {
    what: "import node:http at load",
    because: "it loads undici, 15 to 33 ms of a cold start",
    pattern: /^import\s+(?!type\b)[^;]*from\s+"(?:node:)?https?"/m,
    inText: true,
    where: SERVER,
    // Bundled as CommonJS, where only the required exports are loaded; the SDK loaded both as well.
    but: /^functions\/aws\/dynamodb-client\.ts$/,
    caught: 'import { createServer } from "node:http";',
    free: 'import type { Server } from "node:http";\nconst http = process.getBuiltinModule("node:http");',
  },
  {
    what: "make web requests and responses",
    because: "those classes cost 27 to 50 ms of a cold start",
    pattern: /\bnew\s+(?:Request|Response|Headers)\s*\(/,
    where: SERVER,
    caught: "return new Response(body);",
    free: "return { status: 200, body };",
  },
  {
    what: "replace a module of ours in a test",
    because: "a test of a mock proves nothing of the service",
    pattern: /\bvi\s*\.\s*(?:mock|doMock|spyOn|stubGlobal)\s*\(/,
    where: /^test\//,
    caught: 'vi.mock("../../shared/store/read/view.ts");',
    free: 'const table = faultyTable(await freshTable()); // vi.mock("x")',
  },
  {
    what: "look at a page once",
    because: "a busy machine's page arrives later: expect.poll, locators and the support of test/ui wait for it",
    pattern: /\bexpect\(\s*[[(]*\s*await\b|\bexpect\((?:new URL\()?\w+\.url\(\)|\bwaitForTimeout\b|\bnetworkidle\b/,
    inText: true,
    where: /^test\/ui\/(?:support\/|[\w-]+\.test\.ts$)/,
    // It asks the service, which has to answer at once.
    but: /^test\/ui\/built-apart\.test\.ts$/,
    caught: "expect(await zoomOf(page)).toBe(1);",
    free: "await expect.poll(() => zoomOf(page)).toBe(1);",
  },
  {
    what: "leave a test out",
    because: "what is skipped is forgotten",
    pattern: /\b(?:test|it|describe)\s*\.\s*(?:only|skip|skipIf|runIf|todo)\b/,
    where: /^test\//,
    but: /^test\/(real|soak)\//,
    caught: 'test.skip("later", () => {});',
    free: 'test("a test.skip in a name", () => {});',
  },
  {
    what: "load a component with the lazy of React",
    because: "lazilyLoaded shows a failed load and retries it",
    pattern: /\blazy\b/,
    where: /^ui\//,
    but: /^ui\/parts\/lazily-loaded\.tsx$/,
    caught: 'const Dialog = React.lazy(() => import("./dialog.tsx"));',
    free: 'const Dialog = lazilyLoaded(load); // lazy("x")',
  },
  {
    what: "make up a ref",
    because: "a read that is not sent yet has no input, and undefined says so",
    pattern: /\?\?\s*["`](?:id|key):|\brefOf\([^()]*\?\?/,
    inText: true,
    where: /^ui\//,
    caught: 'useRead("model/model_get", { modelRef: above.modelRef ?? "id:" });',
    free: 'useRead("model/model_get", above.modelRef && { modelRef: above.modelRef });',
  },
  {
    what: "silence the compiler",
    because: "an error that is expected is written down where it is proven",
    pattern: /@ts-(?:ignore|nocheck)/,
    inText: true,
    but: /^test\/shape\/bans\.test\.ts$/,
    caught: "// @ts-ignore",
    free: "// @ts-expect-error a rule is missing",
  },
];

const offences = (ban: Ban, files: readonly Source[]): readonly string[] =>
  files
    .filter(({ path }) => (ban.where?.test(path) ?? true) && !ban.but?.test(path))
    .filter(({ text }) => ban.pattern.test(ban.inText ? text : codeOnly(text)))
    .map(({ path }) => path);

const PLACES = ["shared/x.ts", "cli/x.ts", "test/x.ts", "test/ui/x.test.ts", "ui/x.tsx"];

describe.each(BANS)("no file may $what, because $because", (ban) => {
  test("and none does", () => expect(offences(ban, sources())).toEqual([]));

  test("and the check would find one", () => {
    const path = PLACES.find((one) => ban.where?.test(one) ?? true) ?? "";
    expect(offences(ban, [{ path, text: ban.caught }])).toEqual([path]);
    expect(offences(ban, [{ path, text: ban.free }])).toEqual([]);
  });

  test("and the exceptions do", () => {
    const { but } = ban;
    if (!but || /real|soak|bans/.test(but.source)) return;
    const placed = sources().filter(({ path }) => but.test(path));
    expect(placed.filter(({ text }) => ban.pattern.test(ban.inText ? text : codeOnly(text)))).not.toEqual([]);
  });
});

const EMPTY_WORDS = /(^|[/.-])(utils?|helpers?|common|lib|misc|managers?|info)([/.-]|$)|(^|\/)index\./;
const COMMON_FORMATS = "shared/formats/common/";

describe("names of files and folders", () => {
  const emptyNames = (paths: readonly string[]) =>
    paths.filter((path) => EMPTY_WORDS.test(path.replace(COMMON_FORMATS, "")));

  test("describe their content", () => expect(emptyNames(sources().map((s) => s.path))).toEqual([]));

  test("are distinguished from names that say nothing", () => {
    const empty = ["shared/utils/x.ts", "shared/domain/string-helper.ts", "shared/lib/x.ts", "shared/index.ts"];
    const named = [
      "shared/formats/frictionless/read-frictionless.ts",
      "shared/library.ts",
      "shared/domain/information.ts",
    ];
    expect(emptyNames([...empty, ...named])).toEqual(empty);
  });

  test("are in kebab case", () => expect(sources().filter(({ path }) => !/^[a-z0-9/.-]+$/.test(path))).toEqual([]));
});
