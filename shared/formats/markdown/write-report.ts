import type { ComparedDocuments } from "../../actions/contract/ports.ts";
import { type Difference, IMPACTS } from "../../domain/differences.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { toKey } from "../common/writing/model-tables.ts";
import { formatCell, formatCode, formatMarkdownTable } from "./write-markdown.ts";

/** Writes the difference of two models as a report in Markdown. */
export function writeReport({ names, differences }: ComparedDocuments, diagnostics: Diagnostics): string {
  const sections = Map.groupBy(differences, toSectionTitle);
  const order = [...sections].toSorted(([a], [b]) => (toSectionRank(a) < toSectionRank(b) ? -1 : 1));
  const title = `## Changes from ${formatCode(names[0])} to ${formatCode(names[1])}`;
  const blocks = order.flatMap(([section, all]) => [
    `### ${section}`,
    ...IMPACTS.flatMap((impact) => all.filter((one) => one.impact === impact)).map(formatDifference),
  ]);
  return cutLines([title, "", formatSummary(differences), ...blocks], diagnostics);
}

function formatSummary(differences: readonly Difference[]) {
  if (differences.length === 0) return "No differences.";
  const head = ["", "added", "deleted", "renamed", "modified", "in all"];
  const rows = IMPACTS.map((impact) => {
    const group = differences.filter((one) => one.impact === impact);
    const counts = (["ADDED", "DELETED", "RENAMED", "MODIFIED"] as const).map(
      (status) => group.filter((one) => one.status === status).length,
    );
    return [`**${impact}**`, ...[...counts, group.length].map(String)];
  });
  return formatMarkdownTable(head, rows);
}

function toSectionTitle({ objectType, entityKey, relationshipKey, left, right }: Difference) {
  const holder = objectType === "businessKey" ? toKey(String((left ?? right)?.entity ?? "")) : entityKey;
  if (holder !== undefined) return `Entity ${formatCode(holder)}`;
  if (relationshipKey !== undefined) return `Relationship ${formatCode(relationshipKey)}`;
  return { type: "Types", tag: "Tags" }[String(objectType)] ?? "Model";
}

function toSectionRank(section: string) {
  const rank = ["Model", "Entity", "Relationship", "Types", "Tags"].findIndex((one) => section.startsWith(one));
  return `${rank} ${section}`;
}

const STATUS_WORDS = { ADDED: "is new", DELETED: "is gone", MODIFIED: "is changed", RENAMED: "is renamed" } as const;

function formatDifference(difference: Difference) {
  const { status, impact, objectType, members = [], reasons, left, right } = difference;
  const suffix = status === "RENAMED" ? ` to ${formatCode(String(right?.key))}` : "";
  const kind = objectType
    .replace(/^(entity|relationship)(?=[A-Z])/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const changes = members
    .filter((member) => member !== "key")
    .map((member) => `${formatCode(member)} ${formatMember(left, member)} → ${formatMember(right, member)}`);
  const summary = `${kind.trim()} ${formatCode(String((left ?? right)?.key))} ${STATUS_WORDS[status]}${suffix}`;
  const details = [...changes, ...reasons.map((reason) => formatCell(reason).replaceAll("@", "@<!-- -->"))];
  return `- **${impact}** ${summary}${details.length > 0 ? `: ${details.join("; ")}` : ""}`;
}

const VALUE_CHARACTERS = 120;

function formatMember(snapshot: Difference["left"], member: string) {
  const [name = "", ...rest] = member.split(".");
  const whole = snapshot?.[name];
  const value = rest.length > 0 ? (whole as Readonly<Record<string, unknown>> | undefined)?.[rest.join(".")] : whole;
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? value.replace(/^key:/, "") : JSON.stringify(value);
  const characters = [...text];
  return (
    formatCode(characters.length > VALUE_CHARACTERS ? `${characters.slice(0, VALUE_CHARACTERS).join("")}…` : text) ||
    "nothing"
  );
}

function cutLines(lines: readonly string[], diagnostics: Diagnostics) {
  // Lists need an empty line before them.
  const outputLines = lines.flatMap((line, i) => (line.startsWith("#") && i > 0 ? ["", line, ""] : [line]));
  const report = `${outputLines.join("\n")}\n`;
  if (Buffer.byteLength(report) <= LIMITS.commentBytes) return report;
  const note = (left: number) => `\n${left} more lines have no room in a comment; \`model_compare\` has them all.\n`;
  let space = LIMITS.commentBytes - Buffer.byteLength(note(outputLines.length)) - 1;
  const keptLines: string[] = [];
  for (const line of outputLines) {
    space -= Buffer.byteLength(line) + 1;
    if (space < 0) break;
    keptLines.push(line);
  }
  diagnostics.warn("/right", "not_written", `a report has at most ${LIMITS.commentBytes} bytes`);
  return `${keptLines.join("\n")}\n${note(outputLines.length - keptLines.length)}`;
}
