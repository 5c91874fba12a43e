import { afterAll, beforeAll, describe } from "vitest";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { createSmallService } from "./small-service.ts";
import { openLambdaTransport, openLocalTransport, type Received, type Sent, type Transport } from "./transports.ts";

/** An open transport as a test that runs through both gets it. */
export interface OpenTransport {
  readonly send: (sent: Sent) => Promise<Received>;
  /** Every line logged so far. */
  readonly lines: readonly string[];
}

/** Runs the same tests through the Lambda handler and through the local server. */
export function describeTransports(
  title: string,
  tests: (transport: OpenTransport) => void,
  service: Service = createSmallService(),
): void {
  const openers = {
    "Lambda event": async (log: (line: string) => void): Promise<Transport> => openLambdaTransport(service, log),
    "local server": (log: (line: string) => void): Promise<Transport> => openLocalTransport(service, log),
  };
  describe.each(Object.entries(openers))(`${title}, %s`, (_, open) => {
    const lines: string[] = [];
    let transport: Transport | undefined;
    beforeAll(async () => {
      transport = await open((line) => lines.push(line));
    });
    afterAll(() => transport?.close());
    tests({
      lines,
      send: (sent) => (transport ? transport.send(sent) : Promise.reject(new Error("the transport is not open yet"))),
    });
  });
}
