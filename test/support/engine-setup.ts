import type { TestProject } from "vitest/node";
import { startEngine } from "../../local/engine.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The DynamoDB endpoint all store tests use, each with tables of its own. */
    endpoint: string;
  }
}

/** One engine in memory for the whole run, or the DynamoDB that METACTION_DYNAMODB_ENDPOINT names. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.METACTION_DYNAMODB_ENDPOINT;
  if (given) {
    project.provide("endpoint", given);
    return async () => undefined;
  }
  const engine = await startEngine();
  project.provide("endpoint", engine.endpoint);
  return () => engine.stop();
}
