import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commonTokens } from "@stryker-mutator/api/plugin";
import { createInstrumenter } from "@stryker-mutator/instrumenter";
import { createInjector } from "typed-inject";
import { parseSource, walk } from "../soak/support/syntax.ts";

/** Change of one place in a file: lines from 1, columns from 1. */
export interface Mutant {
  readonly file: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Texts of messages are not behaviour: most changes of them would be wordings that no test should hold. */
export const EXCLUDED_MUTATORS = ["StringLiteral", "Regex"] as const;

const SILENT = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
};

interface ListedMutant extends Mutant {
  readonly original: string;
}

/** Lists the mutants of files in the order of the files and of their texts. */
export async function listMutants(root: string, files: readonly string[]): Promise<readonly ListedMutant[]> {
  const sources = await Promise.all(
    files.map(async (name) => ({ name, content: await readFile(join(root, name), "utf8"), mutate: true })),
  );
  const instrumenter = createInjector().provideValue(commonTokens.logger, SILENT).injectFunction(createInstrumenter);
  const { mutants } = await instrumenter.instrument(sources, {
    ignorers: [],
    excludedMutations: [...EXCLUDED_MUTATORS],
    plugins: null,
    noHeader: false,
  });
  const lines = new Map(sources.map(({ name, content }) => [name, content.split("\n")]));
  return mutants
    .filter(({ status }) => status !== "Ignored")
    .map(toMutant)
    .map((mutant) => ({ ...mutant, original: readRange(lines.get(mutant.file) ?? [], mutant) }));
}

/** Returns the text of a mutant's range, with a space for each line break. */
function readRange(lines: readonly string[], { location: { start, end } }: Mutant) {
  const last = lines[end.line - 1]?.slice(0, end.column - 1) ?? "";
  return [...lines.slice(start.line - 1, end.line - 1), last].join(" ").slice(start.column - 1);
}

/** Converts a mutant of Stryker's instrumenter, whose lines and columns begin with 0. */
export function toMutant({
  fileName,
  mutatorName,
  replacement,
  location: { start, end },
}: Omit<Mutant, "file"> & { readonly fileName: string }): Mutant {
  return {
    file: fileName,
    mutatorName,
    replacement,
    location: {
      start: { line: start.line + 1, column: start.column + 1 },
      end: { line: end.line + 1, column: end.column + 1 },
    },
  };
}

/** Draws `size` mutants, or all if there are fewer, by their texts: other changes of the code draw no others. */
export function drawSample(mutants: readonly ListedMutant[], size: number, seed: number): readonly Mutant[] {
  const counts = new Map<string, number>();
  const ranked = mutants.map((mutant) => {
    const text = `${mutant.file} ${mutant.mutatorName} ${mutant.original} ${mutant.replacement}`;
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return { mutant, rank: createHash("sha256").update(`${seed} ${count} ${text}`).digest("hex") };
  });
  const ordered = ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return ordered.slice(0, size).map(({ mutant }) => mutant);
}

/** Returns the text of the file with the mutant in it. */
export function applyMutant(text: string, mutant: Mutant): string {
  const [start, end] = findOffsets(text, mutant);
  return text.slice(0, start) + mutant.replacement + text.slice(end);
}

/** Tests whether a mutant changes code outside of functions, which runs once, when the module loads. */
export function runsOnLoad(text: string, mutant: Mutant): boolean {
  const [start, end] = findOffsets(text, mutant);
  const nodes = [...walk(parseSource(mutant.file, text))].map(({ node }) => node);
  return !nodes.some((node) => /Function/.test(node.type) && node.start < start && end <= node.end);
}

function findOffsets(text: string, { location: { start, end } }: Mutant): readonly [start: number, end: number] {
  const lines = text.split("\n");
  const toOffset = ({ line, column }: Position) =>
    lines.slice(0, line - 1).join("\n").length + (line > 1 ? column : column - 1);
  return [toOffset(start), toOffset(end)];
}

/** Formats the range of a mutant for Stryker's option `mutate`, whose columns begin with 0. */
export function formatRange({ file, location: { start, end } }: Mutant): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

/** Returns a text that is equal for the same mutant in the sample and in Stryker's report. */
export function formatMutant({ file, mutatorName, replacement, location: { start, end } }: Mutant): string {
  const place = `${file}:${start.line}:${start.column}-${end.line}:${end.column}`;
  return `${place} ${mutatorName} ${replacement.replace(/\s*\n\s*/g, " ")}`;
}
