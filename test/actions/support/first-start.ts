import { freshTable } from "../../support/table.ts";
import { BOOTSTRAP_SECRET, createWorld } from "../../support/world.ts";

/** Creates a service on an empty table, before anyone has an account. Calls without a token are anonymous. */
export async function firstStart(bootstrapSecret = BOOTSTRAP_SECRET) {
  const beside = await createWorld();
  const { run, problem } = await createWorld({ bootstrapSecret, table: await freshTable(), beside });
  return {
    run: (action: string, payload: object, token?: string) => run(action, payload, token),
    problem: (action: string, payload: object, token?: string) => problem(action, payload, token),
  };
}
