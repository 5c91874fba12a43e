import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "vite";
import {
  countLines,
  isProduction,
  listDynamicImports,
  listFunctions,
  listLargeFolders,
  listMutualFolders,
  listSmallSingleUse,
} from "../test/shape/support/code-structure.ts";
import type { Source } from "../test/shape/support/sources.ts";
import { createChance } from "../test/support/chance.ts";

const ROOT = join(import.meta.dirname, "..");
const FEWEST_LINES = 40;
const MOST_FUNCTION_LINES = 80;
const MOST_FILES = 25;
const DRAWN_FILES = 20;
/** Names that are a participle alone, such as `shown` or `joined`, instead of a verb with an object. */
const PARTICIPLE = /^(told|shown|kept|[a-z]{3,}(ed|wn))$/;
const NO_PARTICIPLE = /^(need|feed|seed|embed|speed|unnamed|parsed)$/;

/** A figure with the places that it counts. */
interface Figure {
  readonly count: number;
  readonly places?: readonly string[];
}

/**
 * Counts what makes the production code easy or hard to read: lines, files, folders and names. Production code is `.ts`,
 * `.tsx`, `.js` and `.css` outside tests, benchmarks, documentation and examples. `--list` also prints the places;
 * `--draw=<seed>` prints 20 random files for a person to read.
 */
export function benchLegibility(args: readonly string[] = []): void {
  const paths = listPaths();
  const files = paths.filter((path) => isProduction(path) && /\.(ts|tsx|js|css)$/.test(path)).map(readSource);
  const code = files.filter(({ path }) => !path.endsWith(".css"));
  const lines = files.reduce((sum, { text }) => sum + countLines(text), 0);
  const characters = files.reduce((sum, { text }) => sum + text.trimEnd().replaceAll("\n", "").length, 0);
  const figures: Readonly<Record<string, Figure>> = {
    "production lines": { count: lines },
    "characters in a line, mean": { count: Math.round((characters / lines) * 10) / 10 },
    "production files": { count: files.length },
    ...measureFiles(code),
    ...measureFunctions(code),
    [`folders over ${MOST_FILES} files`]: toFigure(
      listLargeFolders(
        files.map(({ path }) => path),
        MOST_FILES,
      ).map(({ folder, count }) => `${folder} ${count}`),
    ),
    "entries at the top": toFigure([...new Set(paths.map((path) => path.split("/")[0] ?? ""))]),
  };
  console.table(Object.entries(figures).map(([figure, { count }]) => ({ figure, count })));
  if (args.includes("--list")) {
    for (const [name, { places = [] }] of Object.entries(figures)) {
      for (const place of places) console.log(`${name}: ${place}`);
    }
  }
  const seed = args.find((arg) => arg.startsWith("--draw="))?.slice("--draw=".length);
  if (seed !== undefined) {
    const chance = createChance(Number(seed));
    const left = code.map(({ path }) => path);
    for (let n = 0; n < DRAWN_FILES; n += 1) console.log(`drawn: ${left.splice(chance.below(left.length), 1)[0]}`);
  }
  const counts = Object.entries(figures).map(([name, { count }]) => [name, count]);
  console.log(JSON.stringify({ bench: "legibility", ...Object.fromEntries(counts) }));
}

function measureFiles(code: readonly Source[]): Readonly<Record<string, Figure>> {
  const small = listSmallSingleUse(code, FEWEST_LINES).map(({ path, importer }) => `${path} for ${importer}`);
  const mutual = listMutualFolders(code).map(({ folders }) => folders.join(" and "));
  return {
    [`files under ${FEWEST_LINES} lines with one importer`]: toFigure(small),
    "dynamic imports": toFigure(code.flatMap(listDynamicImports)),
    "pairs of folders that import each other": toFigure(mutual),
  };
}

function measureFunctions(code: readonly Source[]): Readonly<Record<string, Figure>> {
  const large = code.flatMap(listFunctions).filter(({ lines }) => lines > MOST_FUNCTION_LINES);
  const names = code.flatMap(listFunctionNames);
  const findNames = (pattern: RegExp): readonly string[] => names.filter((name) => pattern.test(name));
  return {
    [`functions over ${MOST_FUNCTION_LINES} lines`]: toFigure(
      large.map(({ path, line, name, lines }) => `${path}:${line} ${name}, ${lines} lines`),
    ),
    "names of functions that end in Of": toFigure([...new Set(findNames(/Of$/))]),
    "names of functions that are a participle": toFigure([
      ...new Set(findNames(PARTICIPLE).filter((name) => !NO_PARTICIPLE.test(name))),
    ]),
    "functions called nameOf": { count: findNames(/^nameOf$/).length },
  };
}

/** Returns the names of all declared functions. */
function listFunctionNames({ path, text }: Source): readonly string[] {
  const names: string[] = [];
  new Visitor({ FunctionDeclaration: ({ id }) => id && names.push(id.name) }).visit(parseSync(path, text).program);
  return names;
}

function toFigure(places: readonly string[]): Figure {
  return { count: places.length, places };
}

/** Returns the paths of all files of the repository that git does not ignore. */
function listPaths(): readonly string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const output = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64_000_000 });
  return [...new Set(output.split("\n"))].filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

function readSource(path: string): Source {
  return { path, text: readFileSync(join(ROOT, path), "utf8") };
}
