import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { allowStore, createFunction } from "./function.ts";
import { type ServiceSettings, serviceEnvironment } from "./service-environment.ts";
import { SWEEP_EVERY } from "./sweeper.ts";

/**
 * The function that runs jobs. Nobody calls it with a token and its jobs come decided, so it may use neither the key nor
 * the secret.
 */
export function createWorker(scope: Construct, settings: ServiceSettings): LambdaFunction {
  const worker = createFunction(scope, "Worker", {
    name: "worker",
    description: "Runs one write that is too large for one call",
    // The longest Lambda has.
    timeout: Duration.minutes(15),
    memoryMegabytes: 2_048,
    environment: serviceEnvironment(settings),
  });
  // A job that was not finished, or whose event waited for so long, is started again by the sweeper.
  worker.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: SWEEP_EVERY });
  allowStore(worker, settings.table);
  return worker;
}
