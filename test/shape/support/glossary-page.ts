import { codeOnly } from "./code-only.ts";
import type { Source } from "./sources.ts";

/** One line of the glossary. `isNoun` is true of a noun of the domain, which stands without code letters. */
export interface GlossaryRow {
  readonly term: string;
  readonly line: string;
  readonly isNoun: boolean;
}

/** One subject of the glossary, with the folders and files whose exports it explains. */
export interface GlossarySection {
  readonly title: string;
  readonly paths: readonly string[];
  readonly rows: readonly GlossaryRow[];
}

/** The sections of the page: a heading, a sentence that names folders in code letters, and a table of two columns. */
export function sectionsOf(page: string): readonly GlossarySection[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [title = "", ...lines] = text.split("\n");
      const rows = lines.filter((line) => line.startsWith("| ")).slice(1);
      const above = lines
        .slice(
          0,
          lines.findIndex((line) => line.startsWith("|")),
        )
        .join(" ");
      const paths = [...above.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
      return { title, paths, rows: rows.map(rowOf) };
    });
}

function rowOf(row: string): GlossaryRow {
  const [, cell = "", line = ""] = row.split("|").map((part) => part.trim());
  const isNoun = !cell.startsWith("`");
  return { term: isNoun ? cell : cell.slice(1, -1), line, isNoun };
}

/** A name that a file exports. `isType` is true of an interface, a type or a class. */
export interface Export {
  readonly path: string;
  readonly name: string;
  readonly isType: boolean;
}

const EXPORT = /^export (?:abstract |async )?(?<sort>interface|type|class|const|function) (?<name>\w+)/gm;

/** Every name that files export by a declaration of their own. */
export function exportsOf(files: readonly Source[]): readonly Export[] {
  return files.flatMap(({ path, text }) =>
    [...codeOnly(text).matchAll(EXPORT)].map(({ groups: { sort = "", name = "" } = {} }) => ({
      path,
      name,
      isType: sort !== "const" && sort !== "function",
    })),
  );
}

/** True of a file that a path names, or that lies in the folder it names. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Every term that no file of its section exports, as a sentence. */
export function strayTerms(sections: readonly GlossarySection[], exported: readonly Export[]): readonly string[] {
  return sections.flatMap(({ title, paths, rows }) => {
    const known = new Set(exported.filter((e) => paths.some((p) => isBelow(e.path, p))).map((e) => e.name));
    const stray = rows.filter(({ term, isNoun }) => !isNoun && !known.has(term));
    return stray.map(({ term }) => `${title}: ${term} is exported by none of ${paths.join(", ")}`);
  });
}

/** Every type exported at one of the places that the glossary does not explain there, as a sentence. */
export function missingTerms(
  sections: readonly GlossarySection[],
  exported: readonly Export[],
  places: readonly string[],
): readonly string[] {
  const central = exported.filter((e) => e.isType && places.some((place) => isBelow(e.path, place)));
  return central.flatMap(({ path, name }) => {
    const here = sections.filter(({ paths }) => paths.some((p) => isBelow(path, p)));
    const isThere = here.some(({ rows }) => rows.some(({ term, isNoun }) => !isNoun && term === name));
    return isThere ? [] : [`${name} of ${path} is not in the glossary`];
  });
}

/** Every term that is explained more than once, and every row that stands before one it comes after in the alphabet. */
export function misplacedTerms(sections: readonly GlossarySection[]): readonly string[] {
  const seen = new Set<string>();
  return sections.flatMap(({ rows }) =>
    rows.flatMap(({ term, isNoun }, i) => {
      const name = isNoun ? `${term} (noun)` : term;
      const isTwice = seen.has(name);
      seen.add(name);
      const before = rows[i - 1]?.term ?? "";
      return [
        ...(isTwice ? [`${term} is there twice`] : []),
        ...(inAlphabet(before, term) > 0 ? [`${term} comes before ${before}`] : []),
      ];
    }),
  );
}

/** Compares two terms by the alphabet; terms that differ in case alone come in the order of their codes. */
function inAlphabet(a: string, b: string): number {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x === y) return a < b ? -1 : a > b ? 1 : 0;
  return x < y ? -1 : 1;
}
