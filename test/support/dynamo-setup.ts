import type { TestProject } from "vitest/node";
import { isEngineThere, startEngine } from "./engine.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The endpoint of a DynamoDB for the tests, each with tables of its own; "" where there is none. */
    endpoint: string;
  }
}

/** The DynamoDB that METACTION_DYNAMODB_ENDPOINT names, or one engine in memory for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.METACTION_DYNAMODB_ENDPOINT;
  if (given || !isEngineThere()) {
    project.provide("endpoint", given ?? "");
    return async () => undefined;
  }
  const engine = await startEngine();
  project.provide("endpoint", engine.endpoint);
  return () => engine.stop();
}
