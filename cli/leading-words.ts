import type { FlagForm } from "./flags.ts";

/** The first words of a command line, and everything else in its order. */
export interface Leading {
  readonly words: readonly string[];
  readonly rest: readonly string[];
}

/**
 * The first words, so many at most, wherever flags stand between them. A flag without `=` whose form is not known ends the search,
 * since the next word may be its value.
 */
export function leading(given: readonly string[], count: number, forms: ReadonlyMap<string, FlagForm>): Leading {
  const words: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < given.length; i++) {
    const word = given[i] ?? "";
    if (words.length === count || word === "--") {
      rest.push(...given.slice(i));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    rest.push(word);
    const form = word.startsWith("--") ? forms.get(word.slice(2)) : word === "-o" ? "text" : "switch";
    if (form === "text") rest.push(...given.slice(++i, i + 1));
    if (form === undefined && !word.includes("=") && !word.startsWith("--no-")) {
      rest.push(...given.slice(i + 1));
      break;
    }
  }
  return { words, rest };
}
