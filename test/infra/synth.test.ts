import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WEB_FOLDER } from "../../packaging/web/sources.ts";
import { createFolder } from "../support/temporary-folder.ts";

/** A stranger: no account, no credentials, no region, nothing of ours on the path. */
const STRANGER = {
  PATH: "/usr/bin:/bin",
  HOME: tmpdir(),
  CDK_DISABLE_VERSION_CHECK: "1",
  AWS_EC2_METADATA_DISABLED: "true",
};

test("cdk synth works without an account, and builds the bundle of each function and the web application", {
  timeout: 180_000,
}, () => {
  const output = createFolder();
  const args = ["node_modules/.bin/cdk", "synth", "--quiet", "--output", output, "-c", "stage=test"];
  execFileSync(process.execPath, args, { env: STRANGER, stdio: "pipe" });
  expect(existsSync(join(WEB_FOLDER, "index.html"))).toBe(true);
  const { Resources } = JSON.parse(readFileSync(join(output, "metaction-test.template.json"), "utf8")) as {
    Resources: Record<string, { Type: string; Metadata?: Record<string, string> }>;
  };
  const assets = Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::Lambda::Function")
    .map(({ Metadata }) => join(output, Metadata?.["aws:asset:path"] ?? "absent"));
  expect(assets).toHaveLength(3);
  for (const asset of assets) {
    expect(readdirSync(asset).filter((name) => !name.endsWith(".cjs") && name !== "start.mjs")).toEqual([]);
    expect(statSync(join(asset, "index.cjs")).size).toBeGreaterThan(10_000);
  }
});

test("an invalid setting ends with one sentence, not with a stack trace", { timeout: 60_000 }, () => {
  const ended = spawnSync(process.execPath, ["infra/app.ts"], {
    env: { ...STRANGER, CDK_CONTEXT_JSON: JSON.stringify({ issuer: "http://metadata.example" }) },
    encoding: "utf8",
  });
  expect(ended.status).toBe(1);
  expect(ended.stderr).toBe(
    "The setting issuer=http://metadata.example is not allowed; give an https URL without query or fragment.\n",
  );
});
