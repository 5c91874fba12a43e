import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { findBundleFaults, sumByOrigin } from "../../bench/bundle.ts";
import { bundle, FUNCTION_NAMES, getEntryPath, getHandlerSetting } from "../../functions/bundle.ts";

const BUNDLES = {
  dispatcher: bundle(getEntryPath("dispatcher")),
  worker: bundle(getEntryPath("worker")),
  sweeper: bundle(getEntryPath("sweeper")),
};

describe.each(FUNCTION_NAMES)("the bundle of the %s", (name) => {
  const made = BUNDLES[name];

  test("starts small and contains nothing that cannot run in a Lambda", () => {
    expect(findBundleFaults(name, made)).toEqual([]);
  });

  test("is CommonJS except for the starter, which imports nothing else: an ES import would load undici", () => {
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

  test("contains every file that it loads", () => {
    const names = new Set(made.files.map(({ name }) => name));
    const loaded = made.files.flatMap(({ code }) => code.match(/(?<=require\("\.\/)[^"]+/g) ?? []);
    expect(loaded.filter((path) => !names.has(path))).toEqual([]);
    const [file] = getHandlerSetting(name).split(".");
    const starts = made.files.filter(({ start }) => start).map(({ name }) => name);
    expect(starts).toEqual(file === "start" ? ["index.cjs", "start.mjs"] : ["index.cjs"]);
  });

  test("is reproducible", () => expect(bundle(getEntryPath(name)).files).toEqual(made.files));
});

test("the check of the bundle finds the parts of the SDK that the replaced packages exclude", () => {
  const faults = findBundleFaults("dispatcher", bundle("shared/store/table/dynamo.ts", {}));
  for (const part of ["ini", "sso", "process", "web-identity"])
    expect(faults.join("\n")).toContain(`credential-provider-${part}`);
  expect(faults.join("\n")).toContain("nested-clients");
});

test("the check of the bundle counts only what a start loads", () => {
  const file = (name: string, bytes: number, start: boolean) => ({ name, code: "x".repeat(bytes), start });
  const files = [file("index.cjs", 200_000, true), file("chunk.cjs", 120_000, true), file("later.cjs", 999_999, false)];
  expect(findBundleFaults("dispatcher", { files, inputs: new Map() })).toEqual([]);
  expect(findBundleFaults("dispatcher", { files: [...files, file("one.cjs", 1, true)], inputs: new Map() })).toEqual([
    "dispatcher loads 320001 bytes at its start, more than 320000",
  ]);
});

test("a start loads of the SDK only its conversion of values; its other clients are loaded on first use", () => {
  const findPaths = (paths: Iterable<string>, pattern: RegExp) => [...paths].filter((path) => pattern.test(path));
  for (const name of FUNCTION_NAMES) {
    const { inputs, startInputs } = BUNDLES[name];
    const packages = findPaths(startInputs.keys(), /@aws-sdk|@smithy/);
    expect(packages.filter((path) => !path.includes("node_modules/@aws-sdk/util-dynamodb/"))).toEqual([]);
    expect(findPaths(inputs.keys(), /client-dynamodb|lib-dynamodb/)).toEqual([]);
    // The worker starts no worker.
    expect(findPaths(inputs.keys(), /client-lambda\//).length > 0).toBe(name !== "worker");
  }
});

test("a start loads the actions on the structure of models; every other group is loaded with its first call", () => {
  const { inputs, startInputs } = BUNDLES.dispatcher;
  const groups =
    /^shared\/actions\/(tag|property|auth|batch|config|model\/(import|exchange|apply|compare|history|search|versions)\b)/;
  expect([...inputs.keys()].filter((path) => groups.test(path)).length).toBeGreaterThan(10);
  expect([...startInputs.keys()].filter((path) => groups.test(path))).toEqual([]);
});

test("no file imports a path inside a package that the package does not export", () => {
  const { inputs } = BUNDLES.dispatcher;
  const sources = [...inputs.keys()].filter((path) => !path.includes("node_modules/"));
  for (const path of [...sources, "functions/bundle.ts", "functions/join-files.ts"]) {
    const text = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
    expect(text, path).not.toMatch(/node_modules\/|dist-(es|cjs)/);
  }
});

test("bytes are summed by package and by our own folders", () => {
  const inputs = new Map([
    ["node_modules/@aws-sdk/core/dist-es/a.js", 3],
    ["node_modules/zod/v4/mini/index.js", 9],
    ["node_modules/zod/v4/core/index.js", 2],
    ["shared/store/table/keys.ts", 7],
  ]);
  expect([...sumByOrigin(inputs)]).toEqual([
    ["zod", 11],
    ["shared/store", 7],
    ["@aws-sdk/core", 3],
  ]);
});
