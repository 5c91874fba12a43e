import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { readSettings } from "./settings.ts";
import { createStack } from "./stack.ts";

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")) as {
  version: string;
};

try {
  const app = new App({ analyticsReporting: false });
  createStack(app, readSettings(app.node), version);
  app.synth();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
