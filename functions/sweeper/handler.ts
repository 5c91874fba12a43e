import type { Context } from "aws-lambda";
import { createDynamoSeam } from "../../shared/store/dynamo.ts";
import { type Swept, sweep } from "../../shared/store/sweep.ts";
import { TABLE } from "../../shared/store/table.ts";
import { ambient } from "../ambient.ts";

/** Time kept back at the end, in milliseconds, to finish the page under way. */
const RESERVE_MS = 20_000;

const seam = createDynamoSeam({ table: process.env.METACTION_TABLE ?? TABLE.defaultName });

/** Works off what is due, as far as the time of one invocation goes; the schedule calls again. */
export async function handler(_event: unknown, context: Context): Promise<Swept> {
  return sweep(seam, ambient, () => context.getRemainingTimeInMillis() > RESERVE_MS);
}
