import { afterAll, beforeAll, describe } from "vitest";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { smallService } from "./small-service.ts";
import { type Door, lambdaDoor, localDoor, type Received, type Sent } from "./transports.ts";

/** An open door as a test that runs through both gets it. */
export interface OpenDoor {
  readonly send: (sent: Sent) => Promise<Received>;
  /** Every line logged so far. */
  readonly lines: readonly string[];
}

/** Runs the same tests through the Lambda handler and through the local server. */
export function throughBothDoors(
  title: string,
  tests: (door: OpenDoor) => void,
  service: Service = smallService(),
): void {
  const openers = {
    "Lambda event": async (log: (line: string) => void): Promise<Door> => lambdaDoor(service, log),
    "local server": (log: (line: string) => void): Promise<Door> => localDoor(service, log),
  };
  describe.each(Object.entries(openers))(`${title}, %s`, (_, open) => {
    const lines: string[] = [];
    let door: Door | undefined;
    beforeAll(async () => {
      door = await open((line) => lines.push(line));
    });
    afterAll(() => door?.close());
    tests({
      lines,
      send: (sent) => (door ? door.send(sent) : Promise.reject(new Error("the door is not open yet"))),
    });
  });
}
