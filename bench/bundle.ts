import { type Bundle, bundle, entryOf, FUNCTION_NAMES, type FunctionName } from "../functions/bundle.ts";

/** Inputs that can never run in a Lambda, or that load undici. */
const FORBIDDEN =
  /credential-provider-(ini|sso|login|process|web-identity|imds)|token-providers|nested-clients|undici|fetch-http-handler/;

/** Most bytes the minified dispatcher may have. */
const DISPATCHER_BYTES = 320_000;

/** What is wrong with a bundle, one sentence each; empty when it may be deployed. */
export function bundleFaults(name: FunctionName, { bytes, inputs }: Pick<Bundle, "bytes" | "inputs">): string[] {
  const faults = [...inputs.keys()].filter((path) => FORBIDDEN.test(path)).map((path) => `${name} holds ${path}`);
  if (name === "dispatcher" && bytes > DISPATCHER_BYTES) {
    faults.push(`${name} has ${bytes} bytes, more than ${DISPATCHER_BYTES}`);
  }
  return faults;
}

/** Bytes by npm package, our own code under its folder (`shared/store`), biggest first. */
export function bytesByOrigin(
  inputs: ReadonlyMap<string, number>,
): readonly (readonly [origin: string, bytes: number])[] {
  const sums = new Map<string, number>();
  for (const [path, bytes] of inputs) {
    const origin = originOf(path);
    sums.set(origin, (sums.get(origin) ?? 0) + bytes);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}

function originOf(path: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return inPackage ?? path.split("/").slice(0, 2).join("/");
}

/** Prints sizes and origins of both bundles, each with a line of JSON; answers what is wrong with them. */
export function benchBundle(rows = 15): readonly string[] {
  return FUNCTION_NAMES.flatMap((name) => report(name, rows));
}

function report(name: FunctionName, rows: number): string[] {
  const { inputs, bytes, gzipBytes } = bundle(entryOf(name));
  const faults = bundleFaults(name, { bytes, inputs });
  const origins = bytesByOrigin(inputs);
  const figures = { bench: "bundle", function: name, bytes, gzipBytes, inputs: inputs.size };
  const lines = [
    `${name}: ${bytes} bytes, ${gzipBytes} gzipped, ${inputs.size} inputs`,
    ...origins.slice(0, rows).map(([origin, sum]) => `${String(sum).padStart(8)}  ${origin}`),
    ...faults.map((fault) => `FAULT ${fault}`),
    JSON.stringify({ ...figures, origins: Object.fromEntries(origins), faults }),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return faults;
}

if (import.meta.main) process.exitCode = benchBundle().length === 0 ? 0 : 1;
