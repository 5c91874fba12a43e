import { join } from "node:path";
import { openSqliteTable } from "../../../local/sqlite/table.ts";
import { runtime } from "../../../shared/service/runtime.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";

/* Sweeps a table in a file once, with no code but the sweeper's; prints what was done and its memory. */

const [folder = "", now = ""] = process.argv.slice(2);
const table = openSqliteTable({ file: join(folder, "table.db") }, runtime.now);
const swept = await sweep(table.connect(Number.POSITIVE_INFINITY), { ...runtime, now: () => Number(now) });
table.close();
process.stdout.write(`${JSON.stringify({ swept, rssMb: Math.round(process.resourceUsage().maxRSS / 1_024) })}\n`);
