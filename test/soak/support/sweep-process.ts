import { join } from "node:path";
import { openSqliteTable } from "../../../local/sqlite/table.ts";
import { ambient } from "../../../shared/service/runtime.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";

/*
 * A process of its own that does one round of sweeping over a table in a file, with no more of the service in it than the
 * sweeper's function has. What came of it is told in a line of JSON: what was done, and megabytes in memory at most.
 */

const [folder = "", now = ""] = process.argv.slice(2);
const table = openSqliteTable({ file: join(folder, "table.db") }, ambient.now);
const swept = await sweep(table.connect(Number.POSITIVE_INFINITY), { ...ambient, now: () => Number(now) });
table.close();
process.stdout.write(`${JSON.stringify({ swept, rssMb: Math.round(process.resourceUsage().maxRSS / 1_024) })}\n`);
