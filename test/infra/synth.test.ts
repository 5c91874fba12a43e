import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const HOUSE = {
  PATH: "/usr/bin:/bin",
  HOME: tmpdir(),
  CDK_DISABLE_VERSION_CHECK: "1",
  AWS_EC2_METADATA_DISABLED: "true",
};

/** Runs `cdk synth` as a stranger would: no account, no credentials, no region, nothing of ours on the path. */
function synth(output: string, ...flags: string[]): string {
  const args = ["node_modules/.bin/cdk", "synth", "--quiet", "--output", output, ...flags];
  return execFileSync(process.execPath, args, { env: HOUSE, encoding: "utf8", stdio: "pipe" });
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "metaction-synth-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("cdk synth works without an account and hands each function its bundle", { timeout: 60_000 }, () => {
  const output = folder();
  synth(output, "-c", "stage=test");
  const { Resources } = JSON.parse(readFileSync(join(output, "metaction-test.template.json"), "utf8")) as {
    Resources: Record<string, { Type: string; Metadata?: Record<string, string> }>;
  };
  const assets = Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::Lambda::Function")
    .map(({ Metadata }) => join(output, Metadata?.["aws:asset:path"] ?? "absent"));
  expect(assets).toHaveLength(2);
  for (const asset of assets) {
    expect(readdirSync(asset)).toEqual(["index.cjs"]);
    expect(statSync(join(asset, "index.cjs")).size).toBeGreaterThan(10_000);
  }
});

test("cdk synth says in one sentence which setting is wrong, without a stack", { timeout: 60_000 }, () => {
  let said = "";
  try {
    synth(folder(), "-c", "issuer=http://metadata.example");
  } catch (error) {
    said = (error as { stderr: string }).stderr;
  }
  expect(said).toContain("The setting issuer=http://metadata.example is not allowed; give an https URL");
  expect(said).not.toMatch(/\n\s+at /);
});
