import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BuildOptions, buildSync, transformSync } from "esbuild";

/** The form of built code: as it is deployed, or line by line with source maps in it, for a profile. */
export type CodeForm = "deployed" | "mapped";

/** The options that all code for a Lambda is built with. */
export function platformOf(form: CodeForm) {
  return {
    ...(form === "deployed" ? { minify: true } : { minifySyntax: true, sourcemap: "inline" as const }),
    platform: "node",
    target: "node24",
    legalComments: "none",
    logLevel: "warning",
  } as const satisfies BuildOptions;
}

/** esbuild splits ES modules only, and an ES import of `node:http` makes Node load undici: 15 ms of a cold start. */
const COMMON_JS = { format: "cjs", supported: { "dynamic-import": false } } as const;

/** The code of one of esbuild's files as CommonJS. */
export function toCommonJs(code: string, form: CodeForm): string {
  return transformSync(code, { ...platformOf(form), ...COMMON_JS }).code;
}

/** A file of esbuild's that is not written yet. */
export interface OutputText {
  readonly name: string;
  readonly text: string;
}

/** Files that became one. */
export interface Joined {
  readonly code: string;
  /** Rewrites the code of another file, so that it imports from the joined file instead of one of its parts. */
  readonly redirect: (code: string) => string;
}

/**
 * Joins files of esbuild's into one, which exports what the file of its own name exports, and every other file under a
 * name of its own: esbuild makes a chunk of whatever several files import, and each such border costs bytes and a file
 * to load. `outside` are paths that stay imports; `replacements` is code by the path of the file it replaces.
 */
export function joinFiles(
  name: string,
  texts: readonly OutputText[],
  outside: readonly string[],
  replacements: ReadonlyMap<string, string>,
  form: CodeForm,
): Joined {
  const own = texts.filter((f) => f.name === name);
  const parts = texts.filter((f) => f.name !== name);
  const contents = [
    ...own.map((f) => `export * from "./${f.name}";`),
    ...parts.map((f, i) => `export * as c${i} from "./${f.name}";`),
  ];
  const folder = mkdtempSync(join(tmpdir(), "metaction-bundle-"));
  try {
    for (const [path, text] of [...replacements, ...texts.map((f) => [f.name, f.text] as const)]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { outputFiles } = buildSync({
      ...platformOf(form),
      ...COMMON_JS,
      stdin: { contents: contents.join("\n"), resolveDir: folder },
      bundle: true,
      external: [...outside],
      write: false,
    });
    const redirect = (code: string): string =>
      parts.reduce((text, f, i) => text.replaceAll(`require("./${f.name}")`, `require("./${name}").c${i}`), code);
    return { code: outputFiles[0]?.text ?? "", redirect };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
