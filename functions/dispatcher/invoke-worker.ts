import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";

let client: LambdaClient | undefined;

/** Invokes the worker function for a job and does not wait for it. */
export async function invokeWorker(worker: string, job: string): Promise<void> {
  client ??= new LambdaClient({ requestHandler: { connectionTimeout: 500, requestTimeout: 3_000 } });
  const Payload = JSON.stringify({ job });
  await client.send(new InvokeCommand({ FunctionName: worker, InvocationType: "Event", Payload }));
}
