import { appendFileSync } from "node:fs";

const { COVERED_MUTANTS: file } = process.env;

// Loaded before a program that a test starts: writes at its end which mutants ran, one number in a line.
process.once("exit", () => {
  const { __stryker__ } = globalThis as { __stryker__?: { mutantCoverage?: { static: Record<string, number> } } };
  const ids = Object.keys(__stryker__?.mutantCoverage?.static ?? {});
  if (file) appendFileSync(file, ids.map((id) => `${id}\n`).join(""));
});
