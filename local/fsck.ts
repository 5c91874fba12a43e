import { parseArgs } from "node:util";
import { ambient } from "../functions/ambient.ts";
import { createDynamoSeam } from "../shared/store/dynamo.ts";
import { checkTable, type Progress } from "../shared/store/fsck/check-table.ts";
import { type Mended, mendFindings } from "../shared/store/fsck/mend.ts";
import { createScan } from "../shared/store/fsck/scan.ts";
import { NoEngine } from "./engine.ts";
import { type FsckRun, progressText, reportJson, reportText } from "./fsck-report.ts";
import { type OpenTable, openTable } from "./fsck-table.ts";
import { BadSetting } from "./settings.ts";

const USAGE = `npm run fsck -- [--mend] [--json]

Checks every rule of the table. docs/fsck.md says what is checked and what mending does.

  --mend   mends what can be mended without guessing, then checks again
  --json   writes the report as JSON on stdout
  --help   writes this

Exit codes: 0 nothing is wrong, 1 something is, 2 it could not be checked.
`;

interface Wishes {
  readonly mend: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

function readWishes(words: string[]): Wishes {
  const options = { mend: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean" } } as const;
  try {
    const { mend = false, json = false, help = false } = parseArgs({ args: words, options }).values;
    return { mend, json, help };
  } catch (error) {
    throw new BadSetting(`${sentenceOf(error)}\n\n${USAGE}`);
  }
}

async function check(table: OpenTable, { mend }: Wishes): Promise<FsckRun> {
  const seam = createDynamoSeam(table.connection);
  const options = { ambient, scan: createScan(table.connection), onProgress };
  let report = await checkTable(seam, options);
  if (!mend) return { of: table.name, report };
  let mended: Mended = { mended: 0, moved: 0 };
  for (let rounds = 0; rounds < MOST_ROUNDS && report.findings.some((finding) => finding.mend); rounds++) {
    const now = await mendFindings(seam, ambient, report.findings);
    mended = { mended: mended.mended + now.mended, moved: now.moved };
    report = await checkTable(seam, options);
  }
  return { of: table.name, mended, report };
}

/** Mending one thing may show another, such as a row missing where a wrong one was; a busy table may need a second try. */
const MOST_ROUNDS = 4;

/** Time between two looks at the progress, in milliseconds. */
const LOOK_MS = 200;
let shownAt = 0;

/** On a terminal, one line that is written over. */
function onProgress(progress: Progress): void {
  if (!process.stderr.isTTY || ambient.now() < shownAt + LOOK_MS) return;
  shownAt = ambient.now();
  process.stderr.write(`\r${progressText(progress)}\u001b[K`);
}

async function main(): Promise<number> {
  const wishes = readWishes(process.argv.slice(2));
  if (wishes.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const table = await openTable(process.env, process.cwd());
  try {
    const run = await check(table, wishes);
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
    if (wishes.json) process.stdout.write(reportJson(run));
    else process.stderr.write(reportText(run));
    return run.report.findings.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ResourceNotFoundException") throw error;
    throw new BadSetting(`There is no ${table.name}; METACTION_TABLE chooses another.`);
  } finally {
    await table.close();
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const foreseen = error instanceof BadSetting || error instanceof NoEngine;
    process.stderr.write(foreseen ? `${sentenceOf(error)}\n` : `It could not be checked: ${sentenceOf(error)}\n`);
    process.exitCode = 2;
  },
);
