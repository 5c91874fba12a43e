import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync, type Metafile } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const STAND_INS = "./functions/stand-ins.ts";

/** The functions of the stack; each has its entry in `functions/<name>/handler.ts`. */
export type FunctionName = "dispatcher" | "sweeper";

export const FUNCTION_NAMES: readonly FunctionName[] = ["dispatcher", "sweeper"];

/** The handler setting of every function: `index.cjs`, export `handler`. */
export const HANDLER = "index.handler";

/** One bundled function: its code, its sizes in bytes and what went in. */
export interface Bundle {
  readonly code: Uint8Array;
  readonly bytes: number;
  readonly gzipBytes: number;
  /** Bytes in the bundle by input file, path relative to the repository, biggest first. */
  readonly inputs: ReadonlyMap<string, number>;
}

/** One minified CommonJS file for Node 24. CommonJS because an ESM `import` of `node:http` loads undici. */
export function bundle(entry: string, alias: Readonly<Record<string, string>> = ALIASES): Bundle {
  const built = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: "index.cjs",
    bundle: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    // The SDK's ES modules shake; its CommonJS does not.
    mainFields: ["module", "main"],
    alias,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const code = built.outputFiles[0]?.contents ?? new Uint8Array();
  return { code, bytes: code.length, gzipBytes: gzipSync(code, { level: 9 }).length, inputs: inputsOf(built.metafile) };
}

/** Bundles a function into `dist/functions/<name>/index.cjs` and answers the folder, which is what Lambda is given. */
export function bundleToFolder(name: FunctionName): string {
  const folder = join(ROOT, "dist", "functions", name);
  mkdirSync(folder, { recursive: true });
  const { code } = bundle(entryOf(name));
  // Beside the folder and renamed: a synthesis running at the same time never zips half a file.
  const written = `${folder}.${process.pid}.cjs`;
  writeFileSync(written, code);
  renameSync(written, join(folder, "index.cjs"));
  return folder;
}

export function entryOf(name: FunctionName): string {
  return `functions/${name}/handler.ts`;
}

const ALIASES = {
  "@aws-sdk/credential-provider-node": STAND_INS,
  "@aws-sdk/middleware-endpoint-discovery": STAND_INS,
  "@smithy/core/event-streams": STAND_INS,
};

function inputsOf(metafile: Metafile): ReadonlyMap<string, number> {
  const sizes = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return new Map(
    sizes
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
      .map(([path, { bytesInOutput }]) => [path, bytesInOutput]),
  );
}
