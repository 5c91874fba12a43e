import type { Block } from "./steps.ts";

/** Stands for what the page leaves out: text inside a line, whole lines, the rest of a list, or other members. */
const LEFT_OUT = "…";

/** Patterns of values that differ from run to run, each with the text that is compared in their place. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/eyJ(?:…|[\w-]+\.[\w-]+\.[\w-]+)/g, "<token>"],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, "<date>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>"],
  [/("secret":")[^"]+/g, "$1<secret>"],
  [/^( +data in +)\S+$/gm, "$1<folder>"],
  [/^(npx metaction init --url=\S+) --secret=\S+$/gm, "$1"],
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Compares the outputs that a page shows with those that came. */
export interface Comparison {
  difference(shown: Block, came: string): string | undefined;
}

/** Ids differ from run to run, but an id that the page shows twice has to come twice, and two ids have to stay two. */
export function createComparison(): Comparison {
  const cameFor = new Map<string, string>();
  const shownFor = new Map<string, string>();
  const sameId = (shown: string, came: string) => {
    const known = cameFor.get(shown) ?? shownFor.get(came);
    if (known === undefined) {
      cameFor.set(shown, came);
      shownFor.set(came, shown);
    }
    return cameFor.get(shown) === came;
  };

  const sameText = (shown: string, came: string) => {
    const ids = [masked(shown).match(UUID) ?? [], masked(came).match(UUID) ?? []] as const;
    const parts = masked(shown).replace(UUID, "<id>").split(LEFT_OUT);
    const pattern = new RegExp(`^${parts.map(escaped).join("[^\\n]*")}$`);
    if (!pattern.test(masked(came).replace(UUID, "<id>"))) return false;
    return parts.length > 1 || ids[0].every((id, i) => sameId(id, ids[1][i] ?? ""));
  };

  const inJson = (shown: unknown, came: unknown, at: string): string | undefined => {
    if (shown === LEFT_OUT) return undefined;
    if (typeof shown === "string" && typeof came === "string" && sameText(shown, came)) return undefined;
    if (Array.isArray(shown) && Array.isArray(came)) return inList(shown, came, at);
    if (isRecord(shown) && isRecord(came)) return inMembers(shown, came, at);
    return shown === came ? undefined : `${at || "/"}: shows ${JSON.stringify(shown)}, came ${JSON.stringify(came)}`;
  };

  const inList = (shown: readonly unknown[], came: readonly unknown[], at: string): string | undefined => {
    const open = shown.at(-1) === LEFT_OUT;
    const listed = open ? shown.slice(0, -1) : shown;
    if (open ? came.length <= listed.length : came.length !== listed.length)
      return `${at || "/"}: shows ${listed.length} rows${open ? " and more" : ""}, came ${came.length}`;
    return first(listed.map((row, i) => () => inJson(row, came[i], `${at}/${i}`)));
  };

  const inMembers = (shown: Members, came: Members, at: string): string | undefined => {
    const { [LEFT_OUT]: rest, ...listed } = shown;
    const names = Object.keys(came).filter((name) => rest === undefined || name in listed);
    if (names.join() !== Object.keys(listed).join())
      return `${at || "/"}: shows the members ${Object.keys(listed).join()}, came ${Object.keys(came).join()}`;
    return first(names.map((name) => () => inJson(listed[name], came[name], `${at}/${name}`)));
  };

  const inLines = (shown: readonly string[], came: readonly string[]): string | undefined => {
    const [line, ...others] = shown;
    if (line === undefined) return came.length === 0 ? undefined : `came also: ${came.join("\n")}`;
    if (line === LEFT_OUT) {
      const rests = came.map((_, i) => came.slice(i)).concat([[]]);
      return rests.some((rest) => inLines(others, rest) === undefined)
        ? undefined
        : `not shown after "…": ${others[0]}`;
    }
    if (came[0] === undefined || !sameText(line, came[0])) return `shows ${line}\ncame  ${came[0] ?? "nothing"}`;
    return inLines(others, came.slice(1));
  };

  return {
    difference: ({ language, text }, came) => {
      if (language === "text") return inLines(linesOf(text), linesOf(came));
      const [shownJson, cameJson] = [parsed(text), parsed(came)];
      if (shownJson === undefined) return "the page shows no JSON";
      if (cameJson === undefined) return `no JSON came: ${came}`;
      return inJson(shownJson, cameJson, "");
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const difference = check();
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function masked(text: string): string {
  return MASKS.reduce((left, [what, by]) => left.replace(what, by), text);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function linesOf(text: string): readonly string[] {
  return text.replaceAll("\r", "").trimEnd().split("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
