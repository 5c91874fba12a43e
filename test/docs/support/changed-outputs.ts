import type { Block } from "./steps.ts";

/** Values that differ from run to run, or are left out: changing them changes nothing that could be noticed. */
const FREE = /…|eyJ|[0-9a-f]{8}-[0-9a-f]{4}-|^ +data in/;

/** A shown output many times over, each time with one value, member name or line changed. */
export function changeOutputs(shown: Block): readonly Block[] {
  const texts = shown.language === "text" ? linesChanged(shown.text) : jsonChanged(JSON.parse(shown.text));
  return texts.map((text) => ({ ...shown, text }));
}

function linesChanged(text: string): readonly string[] {
  const lines = text.trimEnd().split("\n");
  return lines.flatMap((line, i) =>
    FREE.test(line) || line === "" ? [] : [lines.with(i, `${line.slice(0, -1)}~`).join("\n")],
  );
}

function jsonChanged(value: unknown): readonly string[] {
  return [...changes(value)].map((changed) => JSON.stringify(changed));
}

function* changes(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, row] of value.entries()) for (const changed of changes(row)) yield value.with(i, changed);
    if (![value.at(-1), value.at(-2)].includes("…") && value.length > 0) yield value.slice(0, -1);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const changed of changes(member)) yield { ...value, [name]: changed };
      if (!FREE.test(name)) yield renamed(value, name);
    }
  } else if (!FREE.test(String(value))) {
    yield typeof value === "string" ? `${value}~` : `not ${value}`;
  }
}

function renamed(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).map(([n, member]) => [n === name ? `${n}~` : n, member]));
}
