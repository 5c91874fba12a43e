import { ENGINE_PACKAGE, isEngineThere } from "./engine.ts";

/** Suites that speak DynamoDB's protocol: what the AWS SDK does below the table, and programs with a table elsewhere. */
const ON_THE_WIRE = "test/**/*.wire.test.ts";

/** The files that a run leaves out because there is no DynamoDB for it, which one line tells. */
export function withoutDynamo(): readonly string[] {
  const { METACTION_DYNAMODB_ENDPOINT: given, METACTION_TEST_STORE: store } = process.env;
  if (given || isEngineThere()) return [];
  if (store === "dynamodb") throw new Error(`There is no ${ENGINE_PACKAGE}: set METACTION_DYNAMODB_ENDPOINT as well`);
  // Workers read the configuration again.
  if (!process.env.VITEST_POOL_ID) {
    process.stderr.write(
      `Left out, for want of ${ENGINE_PACKAGE} or METACTION_DYNAMODB_ENDPOINT on ${process.platform} ${process.arch}: ${ON_THE_WIRE}\n`,
    );
  }
  return [ON_THE_WIRE];
}
