import { findBrowser } from "../installed/support/browser.ts";
import { ENGINE_PACKAGE, isEngineThere } from "./engine.ts";

/** Suites that speak DynamoDB's protocol: what the AWS SDK does below the table, and programs with a table elsewhere. */
const ON_THE_WIRE = "test/**/*.wire.test.ts";
const IN_BROWSER = "test/**/*.browser.test.ts";

/** Returns the files that a run leaves out because a program is missing, and writes a line about them. */
export function listLeftOutFiles(): readonly string[] {
  const { METACTION_DYNAMODB_ENDPOINT: given, METACTION_TEST_STORE: store } = process.env;
  const hasDynamo = Boolean(given) || isEngineThere();
  if (!hasDynamo && store === "dynamodb")
    throw new Error(`There is no ${ENGINE_PACKAGE}: set METACTION_DYNAMODB_ENDPOINT as well`);
  const engine = `${ENGINE_PACKAGE} or METACTION_DYNAMODB_ENDPOINT on ${process.platform} ${process.arch}`;
  return [
    ...(hasDynamo ? [] : leaveOut(ON_THE_WIRE, engine)),
    ...(findBrowser() === undefined ? leaveOut(IN_BROWSER, "chromium") : []),
  ];
}

function leaveOut(files: string, program: string): readonly string[] {
  // Workers read the configuration again.
  if (!process.env.VITEST_POOL_ID) process.stderr.write(`Left out, for want of ${program}: ${files}\n`);
  return [files];
}
