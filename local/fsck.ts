import { runtime } from "../shared/service/runtime.ts";
import { checkTable, type Progress, type Report } from "../shared/store/fsck/check-table.ts";
import { type RepairCounts, repairViolations } from "../shared/store/fsck/ledger-checks.ts";
import { VIOLATIONS, type Violation } from "../shared/store/fsck/violation.ts";
import { type OpenTable, runOnTable, type TableCommand } from "./table-command.ts";

const usage = `npm run fsck -- [--repair] [--table <name>] [--region <region>] [--json]

Checks every rule of the table. docs/fsck.md lists the rules and what a repair does.

  --repair   repairs what can be repaired without guessing, then checks again (--mend is its deprecated name)
  --table    the table of a deployment, with your AWS credentials
  --region   its region
  --json     writes the report as JSON on stdout
  --help     writes this

Exit codes: 0 nothing is wrong, 1 something is, 2 it could not be checked.
`;

async function checkAndRepair(target: OpenTable, isRepair: boolean): Promise<FsckRun> {
  const { table, scan } = target;
  const options = { runtime, scan, onProgress };
  let report = await checkTable(table, options);
  if (!isRepair) return { of: target.name, report };
  let total: RepairCounts = { repairs: 0, conflicts: 0 };
  for (let rounds = 0; rounds < MAX_ROUNDS && report.violations.some((finding) => finding.repair); rounds++) {
    // First, so that it is done whenever the command ends.
    target.expireSearches?.();
    const now = await repairViolations(table, runtime, report.violations);
    total = { repairs: total.repairs + now.repairs, conflicts: now.conflicts };
    report = await checkTable(table, options);
  }
  return { of: target.name, repairs: total, report };
}

/** A repair may reveal another violation, such as a missing row. A busy table may need a second try. */
const MAX_ROUNDS = 4;

const LOOK_MS = 200;
let shownAt = 0;

function onProgress(progress: Progress) {
  if (!process.stderr.isTTY || runtime.now() < shownAt + LOOK_MS) return;
  shownAt = runtime.now();
  process.stderr.write(`\r${formatProgress(progress)}\u001b[K`);
}

const command: TableCommand = {
  usage,
  done: "checked",
  flags: ["repair", "mend"],
  run: async (target, flags) => {
    if (flags.has("mend")) process.stderr.write("--mend is deprecated; use --repair.\n");
    const run = await checkAndRepair(target, flags.has("repair") || flags.has("mend"));
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    if (flags.has("json")) process.stdout.write(toReportJson(run));
    else process.stderr.write(formatReport(run));
    return run.report.violations.length > 0 ? 1 : 0;
  },
};

interface FsckRun {
  readonly of: string;
  readonly report: Report;
  /** The report is of the check after the repairs. */
  readonly repairs?: RepairCounts;
}

/** Violations of one code that a report for people lists. */
const LISTED = 20;

function formatReport({ of, report, repairs }: FsckRun) {
  const { items, models, deleted, violations } = report;
  const lines = [`Checked ${of}: ${items} items, ${models} models, ${deleted} deleted models.`];
  if (repairs) lines.push(formatRepairs(repairs));
  for (const [code, rule] of Object.entries(VIOLATIONS)) {
    const matches = violations.filter((violation) => violation.code === code);
    if (matches.length === 0) continue;
    lines.push("", `${code}: ${matches.length}. ${rule}`);
    for (const violation of matches.slice(0, LISTED)) lines.push(...toLines(violation));
    if (matches.length > LISTED) lines.push(`  ... and ${matches.length - LISTED} more; --json lists all.`);
  }
  lines.push(...(violations.length > 0 ? [""] : []), formatConclusion(violations, repairs !== undefined));
  return `${lines.join("\n")}\n`;
}

function formatRepairs({ repairs, conflicts }: RepairCounts) {
  const left = conflicts > 0 ? ` ${conflicts} changed meanwhile and were left alone.` : "";
  return `Repaired ${repairs} of what was found.${left}`;
}

function toLines({ key, sentence, repair }: Violation): string[] {
  return [
    `  ${key.pk} ${key.sk}`.trimEnd(),
    `    ${sentence}`,
    `    ${repair ? `--repair: ${repair.how}` : "Only a person can decide."}`,
  ];
}

function formatConclusion(violations: readonly Violation[], isRepaired: boolean) {
  if (violations.length === 0) return "Nothing is wrong.";
  const repairable = violations.filter(({ repair }) => repair).length;
  const hint =
    repairable === 0
      ? ""
      : isRepaired
        ? " Run it again to repair the rest."
        : ` --repair repairs ${repairable} of them.`;
  return `${violations.length} findings.${hint}`;
}

/** Formats the report for programs: one JSON object. Its members are part of the interface. */
function toReportJson({ of, report, repairs }: FsckRun) {
  const { items, models, deleted } = report;
  const findings = report.violations.map(({ code, key, sentence, repair }) => ({
    code,
    pk: key.pk,
    sk: key.sk,
    sentence,
    ...(repair && { mend: repair.how }),
  }));
  const counts = repairs && { mended: repairs.repairs, moved: repairs.conflicts };
  return `${JSON.stringify({ checked: of, items, models, deleted, findings, ...(counts && { mended: counts }) }, undefined, 2)}\n`;
}

function formatProgress(progress: Progress) {
  return progress.step === "scan" ? `${progress.items} items` : `model ${progress.done} of ${progress.of}`;
}

await runOnTable(command, process, runtime);
