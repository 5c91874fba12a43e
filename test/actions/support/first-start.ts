import { Problem } from "../../../shared/domain/problems.ts";
import { createImporter } from "../../../shared/formats/importer.ts";
import { createService } from "../../../shared/service/create-service.ts";
import { realAmbient } from "../../support/ambient.ts";
import { createHttpCalls } from "../../support/http-call.ts";
import { ISSUER } from "../../support/issuer.ts";
import { freshTable } from "../../support/table.ts";
import { BOOTSTRAP_SECRET, type Body, testKeys } from "../../support/world.ts";

/** A service on an empty table, as it is before anyone has an account. */
export interface FirstStart {
  /** The body of an answer; the query where the payload is a list of pairs. */
  run(action: string, payload: object | readonly (readonly [string, string])[], token?: string): Promise<Body>;
  /** The problem a call ends in. */
  problem(action: string, payload: object, token?: string): Promise<Problem>;
}

/** A service at its first start, with the bootstrap secret of the tests or another. */
export async function firstStart(secret: string = BOOTSTRAP_SECRET): Promise<FirstStart> {
  const table = await freshTable();
  const service = createService({
    connector: { connect: () => table },
    ambient: realAmbient,
    keys: await testKeys(),
    issuer: ISSUER,
    bootstrapSecret: async () => secret,
    importer: createImporter({ allowPrivate: false }),
    startJob: async () => undefined,
    facts: { version: "0.0.0-test", engine: "test", endpoint: "http://endpoint.example", table: "test" },
  });
  const call = createHttpCalls(service, ISSUER);
  const run: FirstStart["run"] = async (action, payload, token) =>
    (
      await call({
        action,
        token,
        controls: {},
        ...(Array.isArray(payload) ? { payload: {}, query: payload } : { payload }),
      })
    ).body;
  return {
    run,
    problem: (action, payload, token) =>
      run(action, payload, token).then(
        () => {
          throw new Error(`${action} raised no problem`);
        },
        (error: unknown) => {
          if (error instanceof Problem) return error;
          throw error;
        },
      ),
  };
}
