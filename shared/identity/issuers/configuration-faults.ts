import type * as z from "zod/mini";

type Issue = z.core.$ZodIssue;

/** Longest piece of a wrong value that is shown. */
const SHOWN = 120;

/** One sentence for each issue: the member, its value, the way out. */
export function sentencesOf(issues: readonly Issue[], json: unknown): readonly string[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${nameOf([...issue.path, key])} is no member of the configuration; remove it.`)
      : [sentenceOf(issue, json)],
  );
}

function sentenceOf({ path, message }: Issue, json: unknown): string {
  const name = nameOf(path);
  const value = valueAt(path, json);
  if (value === undefined) return `${name} is missing; ${message}.`;
  // A secret is not to be read in a log.
  const shown = path.includes("clientSecret") ? "not usable" : JSON.stringify(value).slice(0, SHOWN);
  return `${name} is ${shown}; ${message}.`;
}

function nameOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "The configuration";
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${String(step)}`))
    .join("");
}

function valueAt(path: readonly PropertyKey[], json: unknown): unknown {
  let value = json;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    // Just seen to be an object with that member of its own.
    value = (value as { readonly [step: PropertyKey]: unknown })[step];
  }
  return value;
}
