import { existsSync } from "node:fs";
import { join } from "node:path";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import { buildSync } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { bundleFaults, bytesByOrigin } from "../../bench/bundle.ts";
import { bundle, entryOf, FUNCTION_NAMES, handlerOf } from "../../functions/bundle.ts";
import { REPLACED } from "../../functions/replaced-modules.ts";
import type { OperationSchema } from "../../functions/sdk/internals.js";
import { dynamodbErrors, OPERATIONS } from "../../functions/sdk-errors.ts";
import { ACTION_MODULES } from "../../shared/actions/catalogue.ts";
import { loadBundled } from "./support/bundled-table.ts";

/** A command of the bundled client. */
interface Sent {
  readonly schema: OperationSchema;
}

describe.each(FUNCTION_NAMES)("The bundle of the %s", (name) => {
  const made = bundle(entryOf(name));

  test("starts small and holds nothing that cannot run in a Lambda", () => {
    expect(bundleFaults(name, made)).toEqual([]);
  });

  test("is CommonJS but for the starter, which imports nothing else: an ES import would load undici", () => {
    const [starter, ...more] = made.files.filter(({ name }) => name.endsWith(".mjs"));
    expect(more).toEqual([]);
    expect(starter?.code.match(/import[ (].*/g) ?? []).toEqual(
      name === "dispatcher" ? ['import { createRequire } from "node:module";'] : [],
    );
    for (const { code } of made.files.filter((file) => file !== starter)) {
      const { metafile } = buildSync({
        stdin: { contents: code },
        bundle: true,
        external: ["*"],
        platform: "node",
        write: false,
        metafile: true,
      });
      const kinds = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ kind }) => kind));
      expect(kinds.filter((kind) => kind !== "require-call")).toEqual([]);
    }
  });

  test("holds every file it loads", () => {
    const names = new Set(made.files.map(({ name }) => name));
    const loaded = made.files.flatMap(({ code }) => code.match(/(?<=require\("\.\/)[^"]+/g) ?? []);
    expect(loaded.filter((path) => !names.has(path))).toEqual([]);
    const [file] = handlerOf(name).split(".");
    const starts = made.files.filter(({ start }) => start).map(({ name }) => name);
    expect(starts).toEqual(file === "start" ? ["index.cjs", "start.mjs"] : ["index.cjs"]);
  });

  test("is the same every time it is made", () => {
    expect(bundle(entryOf(name)).files).toEqual(made.files);
  });
});

test("The check of the bundle finds what the stubs keep out", () => {
  const faults = bundleFaults("dispatcher", bundle("shared/store/table/dynamo.ts", { alias: {}, replaced: new Map() }));
  for (const part of ["ini", "sso", "process", "web-identity"]) {
    expect(faults.join("\n")).toContain(`credential-provider-${part}`);
  }
  expect(faults.join("\n")).toContain("nested-clients");
});

test("The check of the bundle counts what a start loads, and nothing else", () => {
  const file = (name: string, bytes: number, start: boolean) => ({ name, code: "x".repeat(bytes), start });
  const files = [file("index.cjs", 200_000, true), file("chunk.cjs", 120_000, true), file("later.cjs", 999_999, false)];
  expect(bundleFaults("dispatcher", { files, inputs: new Map() })).toEqual([]);
  expect(bundleFaults("dispatcher", { files: [...files, file("one.cjs", 1, true)], inputs: new Map() })).toEqual([
    "dispatcher loads 320001 bytes at its start, more than 320000",
  ]);
});

test("What starts a worker is loaded when it is needed, and what it needs of the SDK weighs on no start", () => {
  const lambdaOf = (paths: Iterable<string>) => [...paths].filter((path) => path.includes("client-lambda/"));
  for (const name of ["dispatcher", "sweeper"] as const) {
    const { files, inputs, startInputs } = bundle(entryOf(name));
    expect(files.filter(({ name }) => name === "invoke-worker.cjs").map(({ start }) => start)).toEqual([false]);
    expect(files.some(({ code }) => code.includes('require("./invoke-worker.cjs")'))).toBe(true);
    expect(lambdaOf(inputs.keys())).not.toEqual([]);
    expect([...startInputs.keys()].filter((path) => /client-lambda\/|HttpBindingProtocol/.test(path))).toEqual([]);
  }
  expect(lambdaOf(bundle(entryOf("worker")).inputs.keys())).toEqual([]);
});

test("A start loads no action: each room is a file that is loaded when one of its actions is called", () => {
  const { inputs, startInputs } = bundle(entryOf("dispatcher"));
  const isAction = (path: string) => /^shared\/actions\/(?!contract|dispatch)[^/]+\//.test(path);
  expect([...inputs.keys()].filter(isAction).length).toBeGreaterThanOrEqual(ACTION_MODULES.length);
  expect([...startInputs.keys()].filter(isAction)).toEqual([]);
});

test("What a Lambda never runs of the SDK is there to be left out, and is left out", () => {
  for (const path of REPLACED.keys()) expect(existsSync(join(import.meta.dirname, "../..", path)), path).toBe(true);
  for (const name of FUNCTION_NAMES) {
    const { inputs } = bundle(entryOf(name));
    expect([...REPLACED.keys()].filter((path) => inputs.has(path.slice("./".length)))).toEqual([]);
  }
});

test("The errors with a class of their own are those of the operations that a function sends", () => {
  const { module, remove } = loadBundled<object>("functions/sdk/document-client.ts");
  onTestFinished(remove);
  const commands = Object.entries(module).filter(([name]) => name.endsWith("Command"));
  const operations = commands.map(([, Command]) => new (Command as new (input: object) => Sent)({}).schema[2]);
  expect(operations.sort()).toEqual([...OPERATIONS].sort());
  const [, errors = ""] = dynamodbErrors()[0] ?? [];
  const names = Object.keys(dynamodb).filter((name) =>
    /Exception$|^RequestLimitExceeded$|^InternalServerError$/.test(name),
  );
  const declared = names.filter((name) => errors.includes(`export class ${name} `));
  const base = names.filter((name) => errors.includes(`__BaseException as ${name}`));
  expect([...declared, ...base, "DynamoDBServiceException"].sort()).toEqual(names.sort());
  expect(declared).toContain("TransactionCanceledException");
  expect(declared).not.toContain("BackupInUseException");
});

test("Bytes are summed by package and by our own folders", () => {
  const inputs = new Map([
    ["node_modules/@aws-sdk/core/dist-es/a.js", 3],
    ["node_modules/zod/v4/mini/index.js", 9],
    ["node_modules/zod/v4/core/index.js", 2],
    ["shared/store/table/keys.ts", 7],
  ]);
  expect([...bytesByOrigin(inputs)]).toEqual([
    ["zod", 11],
    ["shared/store", 7],
    ["@aws-sdk/core", 3],
  ]);
});
