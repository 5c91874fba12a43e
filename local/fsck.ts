import { ambient } from "../functions/ambient.ts";
import { checkTable, type Progress } from "../shared/store/fsck/check-table.ts";
import { type Mended, mendFindings } from "../shared/store/fsck/mend.ts";
import { type FsckRun, progressText, reportJson, reportText } from "./fsck-report.ts";
import type { OpenTable } from "./open-table.ts";
import { runOnTable, type TableCommand } from "./table-command.ts";

const usage = `npm run fsck -- [--mend] [--table <name>] [--region <region>] [--json]

Checks every rule of the table. docs/fsck.md says what is checked and what mending does.

  --mend     mends what can be mended without guessing, then checks again
  --table    the table of a deployment, with your AWS credentials
  --region   its region
  --json     writes the report as JSON on stdout
  --help     writes this

Exit codes: 0 nothing is wrong, 1 something is, 2 it could not be checked.
`;

async function check(opened: OpenTable, mend: boolean): Promise<FsckRun> {
  const { table, scan } = opened;
  const options = { ambient, scan, onProgress };
  let report = await checkTable(table, options);
  if (!mend) return { of: opened.name, report };
  let mended: Mended = { mended: 0, moved: 0 };
  for (let rounds = 0; rounds < MOST_ROUNDS && report.findings.some((finding) => finding.mend); rounds++) {
    // First, so that it is done whenever the command ends.
    opened.expireSearches?.();
    const now = await mendFindings(table, ambient, report.findings);
    mended = { mended: mended.mended + now.mended, moved: now.moved };
    report = await checkTable(table, options);
  }
  return { of: opened.name, mended, report };
}

/** Mending one thing may show another, such as a row missing where a wrong one was; a busy table may need a second try. */
const MOST_ROUNDS = 4;

/** Time between two looks at the progress, in milliseconds. */
const LOOK_MS = 200;
let shownAt = 0;

/** Shows the progress on a terminal, in one line that is written over. */
function onProgress(progress: Progress): void {
  if (!process.stderr.isTTY || ambient.now() < shownAt + LOOK_MS) return;
  shownAt = ambient.now();
  process.stderr.write(`\r${progressText(progress)}\u001b[K`);
}

const command: TableCommand = {
  usage,
  done: "checked",
  flags: ["mend"],
  run: async (opened, asked) => {
    const run = await check(opened, asked.has("mend"));
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    if (asked.has("json")) process.stdout.write(reportJson(run));
    else process.stderr.write(reportText(run));
    return run.report.findings.length > 0 ? 1 : 0;
  },
};

await runOnTable(command, process, ambient);
