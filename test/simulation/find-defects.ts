import { parseArgs } from "node:util";
import { BANK } from "../soak/support/bank.ts";
import { findPlace, plantDefect } from "../soak/support/defect.ts";
import { runSchedules } from "./support/run-schedules.ts";

/** Prints after how many schedules each planted defect is found, for example `log-without-condition --seconds=300`. */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "300" }, workers: { type: "string", default: "1" } },
});
const chosen = BANK.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const defect of chosen) {
  const planting = { file: findPlace(defect).file, change: (text: string) => plantDefect(defect, text) };
  const limits = { from: 1, count: 1_000_000, most: 1, shrinkSeconds: 0, seconds: Number(values.seconds) };
  const { findings, schedules, seconds } = await runSchedules({ ...limits, workers: Number(values.workers), planting });
  const [finding] = findings;
  const found = finding
    ? `${finding.seed} schedules: ${finding.faults[0]?.split("\n", 1)[0]}`
    : `not found in ${schedules} schedules`;
  process.stdout.write(`${defect.name}: ${found} (${seconds.toFixed(0)} s)\n`);
}
