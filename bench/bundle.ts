import { gzipSync } from "node:zlib";
import {
  type Bundle,
  type BundleFile,
  bundle,
  FUNCTION_NAMES,
  type FunctionName,
  getEntryPath,
} from "../functions/bundle.ts";

/** Inputs that never run in a Lambda, or that load undici. */
const FORBIDDEN =
  /credential-provider-(ini|sso|login|process|web-identity|imds)|token-providers|nested-clients|undici|fetch-http-handler/;

/** Limit for the minified bytes that a start of the dispatcher loads. */
const START_BYTES = 320_000;

/** Returns the faults of a bundle as sentences; none if it may be deployed. */
export function findBundleFaults(name: FunctionName, { files, inputs }: Pick<Bundle, "files" | "inputs">): string[] {
  const faults = [...inputs.keys()].filter((path) => FORBIDDEN.test(path)).map((path) => `${name} holds ${path}`);
  const { bytes } = measureFiles(files.filter(({ start }) => start));
  if (name === "dispatcher" && bytes > START_BYTES) {
    faults.push(`${name} loads ${bytes} bytes at its start, more than ${START_BYTES}`);
  }
  return faults;
}

/** Returns the bytes by npm package, and by folder (`shared/store`) for our own code, largest first. */
export function sumByOrigin(inputs: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [path, bytes] of inputs) {
    const origin = findOrigin(path);
    sums.set(origin, (sums.get(origin) ?? 0) + bytes);
  }
  return new Map([...sums].sort(([, a], [, b]) => b - a));
}

function findOrigin(path: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return inPackage ?? path.split("/").slice(0, 2).join("/");
}

function measureFiles(files: readonly BundleFile[]): { readonly bytes: number; readonly gzipBytes: number } {
  const codes = files.map(({ code }) => Buffer.from(code));
  const sum = (sizes: readonly number[]): number => sizes.reduce((a, b) => a + b, 0);
  return {
    bytes: sum(codes.map((code) => code.length)),
    gzipBytes: sum(codes.map((code) => gzipSync(code, { level: 9 }).length)),
  };
}

/** Prints the contents of each bundle and of its start. Returns their faults. */
export function benchBundle(rows = 15): readonly string[] {
  return FUNCTION_NAMES.flatMap((name) => report(name, rows));
}

function report(name: FunctionName, rows: number): string[] {
  const made = bundle(getEntryPath(name));
  const faults = findBundleFaults(name, made);
  const all = measureFiles(made.files);
  const start = measureFiles(made.files.filter((file) => file.start));
  const origins = sumByOrigin(made.inputs);
  const startOrigins = sumByOrigin(made.startInputs);
  const row = (atStart: number | string, inAll: number | string, origin: string): string =>
    `${String(atStart).padStart(9)}${String(inAll).padStart(9)}  ${origin}`;
  const lines = [
    row("start", "all", `${name}, bytes minified`),
    row(start.bytes, all.bytes, "sum"),
    row(start.gzipBytes, all.gzipBytes, "sum, gzipped"),
    ...[...origins].slice(0, rows).map(([origin, bytes]) => row(startOrigins.get(origin) ?? 0, bytes, origin)),
    ...faults.map((fault) => `FAULT ${fault}`),
    JSON.stringify({
      bench: "bundle",
      function: name,
      start,
      all,
      origins: Object.fromEntries(origins),
      startOrigins: Object.fromEntries(startOrigins),
      faults,
    }),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return faults;
}

if (import.meta.main) process.exitCode = benchBundle().length === 0 ? 0 : 1;
