import { existsSync } from "node:fs";
import type { Actions } from "../client/actions.ts";
import { refOf } from "./conveniences.ts";
import { EXIT, usage } from "./failure.ts";
import type { Place } from "./place.ts";
import { type Otherwise, runAction } from "./run-action.ts";

type Comparison = Actions["model"]["model_compare"]["output"];
type Entry = Comparison["entries"][number];

/** How far a difference goes, the worst first. */
export const IMPACTS = ["breaking", "additive", "cosmetic"] as const;

/** `metaction diff <a> <b>`: each a model, `model@version` or a file. */
export function diff(place: Place, given: readonly string[]): Promise<number> {
  const [left, right, ...rest] = given;
  if (left === undefined || right === undefined || left.startsWith("-") || right.startsWith("-")) {
    throw usage("diff needs two sides, each a model, model@version or a file: metaction diff crm@1.0.0 crm");
  }
  const sides = [...sideOf("left", left), ...sideOf("right", right)];
  return runAction(place, "model", "model_compare", [...sides, ...rest], {
    ...failing,
    print: (body, output, { stdout }) => {
      const form = output ?? (stdout.isTTY ? "text" : "json");
      if (form !== "text" && form !== "markdown") return undefined;
      // Before there is an answer, this only tells whether the form is one of ours.
      if (body === undefined) return "";
      // The action's declared answer.
      return form === "text" ? textOf(body as Comparison) : markdownOf(body as Comparison);
    },
  });
}

/** `--fail-on`: a comparison that finds a difference of that impact, or of a greater one, ends with exit code 8. */
export const failing: Otherwise = {
  flags: ["fail-on"],
  judge: (own) => {
    const least = own.get("fail-on");
    if (least === undefined) return () => EXIT.done;
    const index = IMPACTS.map(String).indexOf(least);
    if (index < 0) throw usage(`--fail-on=${least}: write ${IMPACTS.join(", ")}`);
    const counted = IMPACTS.slice(0, index + 1);
    return (body) => (counted.some((impact) => (body as Comparison)[impact] > 0) ? EXIT.breaking : EXIT.done);
  },
};

/** The parameters of one side. A key may hold `@`, so only what reads as a version behind the last one is one. */
function sideOf(side: "left" | "right", word: string): readonly string[] {
  if (word.startsWith("@")) return [`--${side}Content=${word}`];
  if (/\.json$/.test(word) && existsSync(word)) return [`--${side}Content=@${word}`];
  const [, model = word, version] = /^(.+)@(\d+\.\d+\.\d+\S*)$/.exec(word) ?? [];
  const ref = `--${side}ModelRef=${refOf(model)}`;
  return version === undefined ? [ref] : [ref, `--${side}ModelVersion=${version}`];
}

const SIGNS = { ADDED: "+", DELETED: "-", MODIFIED: "~" } as const;

function textOf({ left, right, entries, ...counts }: Comparison): string {
  const lines = entries.map((entry) => {
    const { status, impact, members = [], reasons } = entry;
    const what = members.length > 0 ? ` (${members.join(", ")})` : "";
    return `${SIGNS[status]} ${placeOf(entry)}${what}  ${impact}${reasons.length > 0 ? `: ${reasons.join("; ")}` : ""}`;
  });
  return `${[`${nameOf(left)} -> ${nameOf(right)}: ${summaryOf(counts)}`, ...lines].join("\n")}\n`;
}

function markdownOf({ left, right, entries, ...counts }: Comparison): string {
  const title = `### \`${nameOf(left)}\` → \`${nameOf(right)}\`: ${summaryOf(counts)}`;
  if (entries.length === 0) return `${title}\n`;
  const rows = entries.map((entry) => {
    const { status, impact, members = [], reasons } = entry;
    const cells = [impact, status.toLowerCase(), placeOf(entry), members.join(", "), reasons.join("; ")];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return [title, "", "| impact | change | object | members | why |", "|---|---|---|---|---|", ...rows, ""].join("\n");
}

/** The sort of an object and the keys on the way to it. */
function placeOf(entry: Entry): string {
  const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = entry;
  const keys = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  const sort = entry.objectType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [sort, keys.filter((key) => key !== undefined).join(".")].filter(Boolean).join(" ");
}

function nameOf({ modelKey, modelVersion }: Comparison["left"]): string {
  return `${modelKey}@${modelVersion}`;
}

function summaryOf(counts: Pick<Comparison, (typeof IMPACTS)[number]>): string {
  const said = IMPACTS.filter((impact) => counts[impact] > 0).map((impact) => `${counts[impact]} ${impact}`);
  return said.length > 0 ? said.join(", ") : "no differences";
}
