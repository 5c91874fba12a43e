import { toCommandGroup } from "../../shared/domain/channels.ts";
import { COMMANDS, type CommandName } from "../input/commands.ts";
import { COMMON_FLAGS, type OwnFlag } from "../input/flags.ts";
import { quoteForShell } from "../input/values.ts";
import type { RichText } from "../terminal/text-stream.ts";
import { fillLines, splitWords } from "../terminal/wrapping.ts";
import { type ActionDescription, type Description, formatTitle, type ParameterDescription } from "./description.ts";

const WIDTH = 96;

const EXIT_CODES = [
  "0 done",
  "1 server or network",
  "2 usage or bad input",
  "3 not found",
  "4 not signed in",
  "5 not allowed",
  "6 conflict or precondition",
  "7 throttled",
  "8 a comparison or plan has changes that --fail-on names",
  "9 confirmation needed: without a terminal, add --yes or --allow-breaking",
  "130 interrupted",
];

/** Returns the page of `metaction help`. `description` is undefined when the service did not answer. */
export function formatRootPage(description: Description | undefined, url: string): RichText {
  const groups = description?.groups.map(({ name, description: text }) => [toCommandGroup(name), text] as const);
  return formatSections([
    ["NAME", ["metaction - calls the actions of a Metaction service"]],
    [
      "SYNOPSIS",
      ["metaction <group> <action> [--name=value ...]", "metaction help [<group> [<action>]]", "metaction <command>"],
    ],
    ["GROUPS", groups ? formatColumns(groups) : [`${url} did not answer, so its groups are not listed.`]],
    ["COMMANDS", formatColumns(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const))],
    [
      "VALUES",
      wrapText(
        "--name=value or --name value; --flag or --no-flag; " +
          "--name=@file reads a file, --name=- reads stdin, --name=@@text is text that begins with @. " +
          "A list is repeated flags or JSON text, an object is JSON text. Names are as declared or in kebab case: --modelRef or --model-ref.",
      ),
    ],
    ["FLAGS", formatCommonFlags()],
    [
      "ENVIRONMENT",
      wrapText(
        "METACTION_URL, METACTION_TOKEN, METACTION_PROFILE. " +
          "A flag overrides the environment, the environment overrides the profile in ~/.config/metaction/config.toml, the profile overrides the default.",
      ),
    ],
    ["EXIT CODES", EXIT_CODES],
  ]);
}

/** Returns the page of `metaction help <group>`. */
export function formatGroupPage(description: Description, group: string): RichText {
  const entry = description.groups.find(({ name }) => name === group);
  const actions = description.actions.filter((action) => action.group === group);
  return formatSections([
    ["NAME", wrapText(`metaction ${toCommandGroup(group)} - ${entry?.description ?? ""}`)],
    ["SYNOPSIS", [`metaction ${toCommandGroup(group)} <action> [--name=value ...]`]],
    ...listKindSections(actions),
    ["ERRORS OF EVERY ACTION", formatErrorRows(description, [...findCommonProblems(description)])],
  ]);
}

function listKindSections(actions: readonly ActionDescription[]): readonly Section[] {
  const width = Math.max(0, ...actions.map(({ name }) => name.length));
  const toRows = (own: readonly ActionDescription[]) =>
    formatColumns(own.map((one) => [one.name.padEnd(width), formatTitle(one)] as const));
  const kinds = groupByKind(actions);
  if (actions.length <= FEW || kinds.length === 1) return [["ACTIONS", toRows(actions)]];
  return kinds.map(([kind, own]) => [(kind ?? "more").replaceAll("_", " ").toUpperCase(), toRows(own)]);
}

const FEW = 8;

function findCommonProblems({ actions }: Description): ReadonlySet<string> {
  const [first, ...others] = actions;
  return new Set(first?.errors.filter((code) => others.every(({ errors }) => errors.includes(code))));
}

function formatErrorRows({ problems }: Description, codes: readonly string[]): string[] {
  return formatColumns(
    codes.map((code) => [`${problems[code]?.status} ${code}`, problems[code]?.title ?? ""] as const),
  );
}

/** Returns the page of `metaction help <group> <action>`. */
export function formatActionPage(description: Description, action: ActionDescription): RichText {
  const common = findCommonProblems(description);
  const { group, name, parameters, controls, errors } = action;
  const flags = Object.entries(COMMON_FLAGS).filter(([flag]) => controls.includes(flag));
  return formatSections([
    ["NAME", [`metaction ${toCommandGroup(group)} ${name} - ${formatTitle(action)}`]],
    ["SYNOPSIS", formatSynopsis(action)],
    ["DESCRIPTION", action.description.split("\n\n").flatMap((text) => wrapText(text))],
    ["PARAMETERS", parameters.flatMap(formatParameterLines)],
    ["CONTROLS", formatColumns(flags.map(([flag, { summary }]) => [`--${flag}`, summary] as const))],
    ["ANSWER", wrapText(action.answers)],
    [
      "ERRORS",
      [
        ...formatErrorRows(
          description,
          errors.filter((code) => !common.has(code)),
        ),
        `and the codes of every action; see: metaction help ${toCommandGroup(group)}`,
      ],
    ],
    ["EXAMPLE", [formatExample(action)]],
  ]);
}

function formatSynopsis({ group, name, parameters }: ActionDescription): string[] {
  const words = parameters.map((parameter) => {
    const flag = formatFlag(parameter);
    return parameter.required ? flag : `[${flag}]`;
  });
  const lines = [`metaction ${toCommandGroup(group)} ${name}`];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length + 1 > WIDTH) lines.push(`    ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function formatFlag({ name, json, type }: ParameterDescription) {
  return json === "boolean" ? `--[no-]${name}` : `--${name}=<${type}>`;
}

function formatParameterLines(parameter: ParameterDescription): string[] {
  const { required, isDeprecated, description, values, secret } = parameter;
  const notes = [
    required ? "required" : "optional",
    ...(isDeprecated ? ["deprecated"] : []),
    ...(values.length > 0 ? [`one of ${values.join(", ")}`] : []),
    ...(secret ? ["a secret: pass it as - or @file"] : []),
  ];
  return [`${formatFlag(parameter)}  (${notes.join("; ")})`, ...wrapText(description).map((line) => `    ${line}`)];
}

/** Formats the example as a command for a POSIX shell. */
export function formatExample({ group, name, example, parameters }: ActionDescription): string {
  const words = Object.entries(example).map(([parameter, value]) => {
    const { json, secret } = parameters.find((item) => item.name === parameter) ?? {};
    if (secret) return `--${parameter}=-`;
    if (json === "boolean") return value ? `--${parameter}` : `--no-${parameter}`;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `--${parameter}=${quoteForShell(text, /^[\w:/.@-]+$/)}`;
  });
  return ["metaction", toCommandGroup(group), name, ...words].join(" ");
}

function formatCommonFlags(): readonly string[] {
  const rows = Object.entries(COMMON_FLAGS).map(([name, flag]) => {
    const short = "short" in flag ? `-${flag.short}, ` : "    ";
    return [`${short}${formatFlagName(name, flag)}`, flag.summary] as const;
  });
  return formatColumns(rows);
}

function formatFlagName(name: string, { form }: Pick<OwnFlag, "form">) {
  return `--${name}${form === "text" ? "=…" : ""}`;
}

/** Returns the help page of a command. */
export function formatCommandPage(name: CommandName): RichText {
  const { synopsis, description, flags } = COMMANDS[name];
  const rows = Object.entries(flags ?? {}).map(([flag, own]) => [formatFlagName(flag, own), own.summary] as const);
  return formatSections([
    ["SYNOPSIS", synopsis],
    ["DESCRIPTION", description],
    ["FLAGS", formatColumns(rows)],
  ]);
}

type Section = readonly [title: string, lines: readonly string[]];

function formatSections(sections: readonly Section[]): RichText {
  const visibleSections = sections.filter(([, lines]) => lines.length > 0);
  return visibleSections.flatMap(([title, lines], i) => {
    const text = lines.map((line) => (line ? `    ${line}` : "")).join("\n");
    return [...(i === 0 ? [] : ["\n"]), { bold: title }, `\n${text}\n`];
  });
}

function formatColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) => {
    const [first = "", ...more] = wrapText(text, WIDTH - width - 6);
    return [`${name.padEnd(width)}  ${first}`.trimEnd(), ...more.map((line) => `${" ".repeat(width)}  ${line}`)];
  });
}

function wrapText(text: string, width: number = WIDTH - 4): readonly string[] {
  return fillLines(splitWords(text.trim().replace(/\s+/g, " ")), width);
}

const OF_KINDS = /_(?:create|get|list)$/;

function groupByKind(
  actions: readonly ActionDescription[],
): readonly (readonly [kind: string | undefined, actions: readonly ActionDescription[]])[] {
  const kinds = [...new Set(actions.flatMap(({ name }) => (OF_KINDS.test(name) ? [name.replace(OF_KINDS, "")] : [])))];
  const longest = kinds.toSorted((a, b) => b.length - a.length);
  const findKind = ({ name }: ActionDescription) => longest.find((kind) => name.startsWith(`${kind}_`));
  const byEach = Map.groupBy(actions, findKind);
  return [...kinds, undefined].flatMap((kind) => {
    const own = byEach.get(kind);
    return own ? [[kind, own] as const] : [];
  });
}
