import { existsSync } from "node:fs";
import type { Actions } from "../../client/actions.ts";
import { IMPACTS } from "../../shared/domain/differences.ts";
import { nameFlag } from "../calls/own-calls.ts";
import { type Again, type Options, type ReadModel, runAction } from "../calls/run-action.ts";
import { COMMANDS } from "../input/commands.ts";
import { createFaultFinder, type FaultFinder, TRANSITIVE } from "../input/fail-on.ts";
import { listForms, splitLeadingWords } from "../input/flags.ts";
import { toRef } from "../input/values.ts";
import { formatEntryKind, formatPath } from "../output/differences.ts";
import { formatWarningLines } from "../output/output.ts";
import { createUsageFailure, EXIT } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { RichText } from "../terminal/text-stream.ts";

type Comparison = Actions["model"]["model_compare"]["output"];
type Versions = Actions["model"]["history_versions"]["output"];
type Entry = Comparison["entries"][number];

interface Side {
  readonly parameters: readonly string[];
  readonly file?: string;
}

/** Runs `metaction diff <a> <b>`: each side is a model, `model@version` or a file. */
export function diff(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { words, rest } = splitLeadingWords(args, 2, listForms(COMMANDS.diff.flags));
  const [leftWord, rightWord] = words;
  if (leftWord === undefined || rightWord === undefined) {
    throw createUsageFailure(
      "diff needs two sides, each a model, model@version or a file: metaction diff crm@1.0.0 crm",
    );
  }
  const [left, right] = [readSide("left", leftWord), readSide("right", rightWord)];
  const index = rest.findIndex((word) => word === "--as" || word.startsWith("--as="));
  if (index >= 0) return diffAs(terminal, [...left.parameters, ...right.parameters], rest, index);
  return runAction(terminal, "model", "model_compare", [...left.parameters, ...right.parameters, ...rest], {
    ...failing,
    flags: COMMANDS.diff.flags ?? {},
    forms: COMMANDS.diff.forms ?? [],
    textIn: async (form, body, read) => {
      // The declared answer of the action.
      const comparison = body as Comparison;
      const names = [
        await formatSideName(comparison.left, left, read),
        await formatSideName(comparison.right, right, read),
      ] as const;
      return form === "text" ? formatDifferenceText(comparison, names) : formatDifferenceMarkdown(comparison, names);
    },
  });
}

type Output = Actions["model"]["model_compare_as"]["output"];

function diffAs(terminal: Terminal, sides: readonly string[], rest: readonly string[], at: number): Promise<number> {
  const [word = "", next] = rest.slice(at);
  const isApart = word === "--as";
  const format = isApart ? next : word.slice("--as=".length);
  if (format === undefined || format === "")
    throw createUsageFailure("--as needs a format: metaction diff crm@1.0.0 crm --as postgresql");
  const others = rest.toSpliced(at, isApart ? 2 : 1);
  const call = [...sides, `--format=${format}`, "--output=text", ...others];
  return runAction(terminal, "model", "model_compare_as", call, {
    forms: ["text"],
    textIn: async (_, body) => {
      // The declared answer of the action.
      const { content, warnings } = body as Output;
      if (!rest.includes("--quiet")) for (const line of formatWarningLines(warnings)) terminal.stderr.writeLine(line);
      return content;
    },
  }).catch((error: unknown) => {
    throw nameFlag(error, "format", "as");
  });
}

/** Implements `--fail-on` and `--compatibility`: a difference that they name ends with exit code 8. */
export const failing: Options = {
  flags: COMMANDS.diff.flags ?? {},
  assess: (own) => {
    const findFault = createFaultFinder((name) => own.get(name));
    const isTransitive = own.get("compatibility")?.endsWith(TRANSITIVE) ?? false;
    return async (body, again) => {
      // The declared answer of the action.
      const comparison = body as Comparison;
      if (findFault(comparison)) return EXIT.breaking;
      return isTransitive ? assessReleases(comparison, findFault, again) : EXIT.done;
    };
  },
};

/** Compares every release of the model on the left with the same right side. */
async function assessReleases(
  { left }: Comparison,
  findFault: FaultFinder,
  { read, payload, tell }: Again,
): Promise<number> {
  if (left.modelId === undefined) throw createUsageFailure(`${TRANSITIVE.slice(1)}: the left side must be a model`);
  const modelRef = `id:${left.modelId}`;
  const { items } = (await read("history_versions", { modelRef })) as Versions;
  const { leftRevision: _, ...others } = payload;
  let code: number = EXIT.done;
  for (const { version } of items) {
    const sides = { ...others, leftModelRef: modelRef, leftModelVersion: version };
    const fault = findFault((await read("model_compare", sides)) as Comparison);
    if (!fault) continue;
    const [count, what] = fault;
    tell(`${left.modelKey}@${version}: ${count} ${count === 1 ? "difference is" : "differences are"} ${what}`);
    code = EXIT.breaking;
  }
  return code;
}

/** Reads one side. A key may contain `@`, so only a text like a version after the last `@` is a version. */
function readSide(side: "left" | "right", word: string): Side {
  const file = word.startsWith("@")
    ? word.slice(1)
    : /\.[A-Za-z]\w*$/.test(word) && existsSync(word)
      ? word
      : undefined;
  if (file !== undefined) return { parameters: [`--${side}Content=@${file}`], file };
  const [, model = word, version] = /^(.+)@(v?\d+\.\S+)$/i.exec(word) ?? [];
  const ref = `--${side}ModelRef=${toRef(model)}`;
  return { parameters: version === undefined ? [ref] : [ref, `--${side}ModelVersion=${version}`] };
}

type ComparedSide = Comparison["left"];

async function formatSideName(side: ComparedSide, { file }: Side, read: ReadModel): Promise<string> {
  const { modelId, modelKey, revision } = side;
  if (modelId === undefined) return `${file ?? modelKey} (file)`;
  // The declared answer. A model's version is that of its last release, even if it changed since.
  const { items } = (await read("history_versions", { modelRef: `id:${modelId}` })) as Versions;
  const release = items.find((one) => one.revision === revision);
  return release ? `${modelKey}@${release.version}` : `${modelKey} (unreleased, revision ${revision})`;
}

const SIGNS = { ADDED: "+", DELETED: "-", MODIFIED: "~", RENAMED: ">" } as const;

type Names = readonly [left: string, right: string];

function formatDifferenceText({ entries, ...counts }: Comparison, [left, right]: Names): RichText {
  const lines = entries.flatMap((entry): RichText => {
    const { status, impact, members = [], reasons } = entry;
    const list = members.length > 0 ? ` (${members.join(", ")})` : "";
    const to = status === "RENAMED" ? ` -> ${entry.right?.key}` : "";
    const note = reasons.length > 0 ? `: ${reasons.join("; ")}` : "";
    return [`${SIGNS[status]} ${formatEntryPath(entry)}${to}${list}  `, { text: impact, tone: impact }, `${note}\n`];
  });
  const renames = counts.likelyRenames.flatMap(
    (rename): RichText => [{ text: "?", tone: "doubt" }, ` ${describeLikelyRename(rename)}\n`],
  );
  return [{ bold: `${left} -> ${right}: ${formatSummary(counts)}` }, "\n", ...lines, ...renames];
}

function formatDifferenceMarkdown({ entries, ...counts }: Comparison, [left, right]: Names) {
  const title = `### \`${left}\` → \`${right}\`: ${formatSummary(counts)}`;
  if (entries.length === 0) return `${title}\n`;
  const rows = entries.map((entry) => {
    const { status, impact, members = [], reasons } = entry;
    const to = status === "RENAMED" ? ` → ${entry.right?.key}` : "";
    const cells = [
      impact,
      status.toLowerCase(),
      `${formatEntryPath(entry)}${to}`,
      members.join(", "),
      reasons.join("; "),
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const renames = counts.likelyRenames.map((rename) => `- ${describeLikelyRename(rename).replaceAll("|", "\\|")}`);
  const table = ["| impact | change | object | members | why |", "|---|---|---|---|---|", ...rows, ""];
  return [title, "", ...table, ...(renames.length > 0 ? [...renames, ""] : [])].join("\n");
}

function formatEntryPath(entry: Entry) {
  return [formatEntryKind(entry), formatPath(entry)].filter(Boolean).join(" ");
}

type LikelyRename = Comparison["likelyRenames"][number];

function describeLikelyRename({ objectType, from, to, confidence, reason, declaredBy }: LikelyRename) {
  const declaration = `"${declaredBy}": ${JSON.stringify(from.at(-1))} next to the key ${to} declares it`;
  return `${objectType} ${from.join(".")} looks like ${to} (${Math.round(100 * confidence)} %): ${reason}; ${declaration}`;
}

function formatSummary(counts: Pick<Comparison, (typeof IMPACTS)[number]>) {
  const texts = IMPACTS.filter((impact) => counts[impact] > 0).map((impact) => `${counts[impact]} ${impact}`);
  return texts.length > 0 ? texts.join(", ") : "no differences";
}
