import { describe, expect, test } from "vitest";
import { bundleFaults, bytesByOrigin } from "../../bench/bundle.ts";
import { bundle, entryOf, FUNCTION_NAMES } from "../../functions/bundle.ts";

describe.each(FUNCTION_NAMES)("The bundle of the %s", (name) => {
  const made = bundle(entryOf(name));

  test("is small and holds nothing that cannot run in a Lambda", () => {
    expect(bundleFaults(name, made)).toEqual([]);
  });
});

test("The check of the bundle finds what the stand-ins keep out", () => {
  const faults = bundleFaults("dispatcher", bundle("shared/store/dynamo.ts", {}));
  for (const part of ["ini", "sso", "process", "web-identity"]) {
    expect(faults.join("\n")).toContain(`credential-provider-${part}`);
  }
  expect(faults.join("\n")).toContain("nested-clients");
});

test("The check of the bundle finds a dispatcher that grew too big", () => {
  expect(bundleFaults("dispatcher", { bytes: 320_001, inputs: new Map() })).toEqual([
    "dispatcher has 320001 bytes, more than 320000",
  ]);
});

test("Bytes are summed by package and by our own folders", () => {
  const inputs = new Map([
    ["node_modules/@aws-sdk/core/dist-es/a.js", 3],
    ["node_modules/zod/v4/mini/index.js", 9],
    ["node_modules/zod/v4/core/index.js", 2],
    ["shared/store/keys.ts", 7],
  ]);
  expect(bytesByOrigin(inputs)).toEqual([
    ["zod", 11],
    ["shared/store", 7],
    ["@aws-sdk/core", 3],
  ]);
});
