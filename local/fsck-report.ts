import type { Progress, Report } from "../shared/store/fsck/check-table.ts";
import { FINDINGS, type Finding } from "../shared/store/fsck/finding.ts";
import type { Mended } from "../shared/store/fsck/mend.ts";

/** One run of the check, and of mending where that was asked for. */
export interface FsckRun {
  /** The table that was checked, named for people. */
  readonly of: string;
  readonly report: Report;
  /** The outcome of mending; the report is that of the check after it. */
  readonly mended?: Mended;
}

/** Findings of one code that a report for people lists. */
const LISTED = 20;

/** The report for people. */
export function reportText({ of, report, mended }: FsckRun): string {
  const { items, models, deleted, findings } = report;
  const lines = [`Checked ${of}: ${items} items, ${models} models, ${deleted} deleted models.`];
  if (mended) lines.push(mendedText(mended));
  for (const [code, rule] of Object.entries(FINDINGS)) {
    const those = findings.filter((finding) => finding.code === code);
    if (those.length === 0) continue;
    lines.push("", `${code}: ${those.length}. ${rule}`);
    for (const finding of those.slice(0, LISTED)) lines.push(...findingLines(finding));
    if (those.length > LISTED) lines.push(`  ... and ${those.length - LISTED} more; --json lists all.`);
  }
  lines.push(...(findings.length > 0 ? [""] : []), conclusion(findings, mended !== undefined));
  return `${lines.join("\n")}\n`;
}

function mendedText({ mended, moved }: Mended): string {
  const left = moved > 0 ? ` ${moved} changed meanwhile and were left alone.` : "";
  return `Mended ${mended} of what was found.${left}`;
}

function findingLines({ place, sentence, mend }: Finding): string[] {
  return [
    `  ${place.pk} ${place.sk}`.trimEnd(),
    `    ${sentence}`,
    `    ${mend ? `--mend: ${mend.how}` : "Only a person can decide."}`,
  ];
}

function conclusion(findings: readonly Finding[], mended: boolean): string {
  if (findings.length === 0) return "Nothing is wrong.";
  const mendable = findings.filter(({ mend }) => mend).length;
  const hint = mendable === 0 ? "" : mended ? " Run it again to mend the rest." : ` --mend mends ${mendable} of them.`;
  return `${findings.length} findings.${hint}`;
}

/** The report for programs: one JSON object. */
export function reportJson({ of, report, mended }: FsckRun): string {
  const findings = report.findings.map(({ code, place, sentence, mend }) => ({
    code,
    pk: place.pk,
    sk: place.sk,
    sentence,
    ...(mend && { mend: mend.how }),
  }));
  return `${JSON.stringify({ checked: of, ...report, findings, ...(mended && { mended }) }, undefined, 2)}\n`;
}

/** The progress in one short line. */
export function progressText(progress: Progress): string {
  return progress.step === "scan" ? `${progress.items} items` : `model ${progress.done} of ${progress.of}`;
}
