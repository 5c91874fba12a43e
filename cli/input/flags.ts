import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createUsageFailure } from "../terminal/failure.ts";

/** Form of a flag: with a text, or a switch with `--no-`. */
export type FlagForm = "text" | "switch";

/** Parameter of an action, whose values complete an argument of a command. */
export type Parameter = readonly [action: string, name: string];

/** A flag of a command that is not an action. */
export interface OwnFlag {
  readonly form: FlagForm;
  readonly summary: string;
  readonly values?: readonly string[];
  readonly list?: true;
  readonly completes?: Parameter;
  readonly variable?: string;
}

export interface GivenFlag {
  readonly name: string;
  readonly value: string | boolean;
}

export interface GivenArguments {
  readonly words: readonly string[];
  readonly flags: readonly GivenFlag[];
}

export const COMMON_FLAGS = {
  url: { form: "text", summary: "the URL of the service" },
  token: { form: "text", summary: "the access token" },
  profile: { form: "text", summary: "the profile of the configuration file" },
  output: { form: "text", short: "o", summary: "json, yaml, table, ndjson or raw; a table on a terminal, else json" },
  query: { form: "text", summary: "a JMESPath expression applied to the answer" },
  input: { form: "text", summary: "a JSON file with the whole payload, or - for stdin" },
  "dry-run": { form: "switch", summary: "do everything except the write" },
  "if-match": { form: "text", summary: "run only at this revision: the ETag of an answer" },
  "idempotency-key": { form: "text", summary: "makes a retry safe; generated for every write" },
  run: { form: "text", summary: "the run that the write belongs to: the id that run_begin answered" },
  wait: { form: "switch", summary: "wait for work that became a job (default); --no-wait does not" },
  yes: { form: "switch", short: "y", summary: "delete and apply without asking; deleting needs it without a terminal" },
  quiet: { form: "switch", short: "q", summary: "print only errors on stderr" },
  verbose: { form: "switch", short: "v", summary: "print requests and request ids on stderr" },
  curl: { form: "switch", summary: "print the equivalent curl command instead of calling" },
  color: { form: "switch", summary: "colours; off with --no-color or NO_COLOR" },
  pager: { form: "switch", summary: "page output longer than the screen (PAGER, default less); off with --no-pager" },
  help: { form: "switch", short: "h", summary: "show this help" },
} as const satisfies Record<string, { form: FlagForm; short?: string; summary: string }>;

export type CommonFlag = keyof typeof COMMON_FLAGS;

/** Converts `entityKey` to `entity-key`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}

/** Reads arguments. An unknown flag takes a value only after `=`, as the next word may not belong to it. */
export function readArguments(args: readonly string[], forms: ReadonlyMap<string, FlagForm>): GivenArguments {
  const shorts = new Map<string, string>(
    Object.entries(COMMON_FLAGS).flatMap(([name, flag]) => ("short" in flag ? [[flag.short, name] as const] : [])),
  );
  const options = Object.fromEntries(
    [...forms].map(([name, form]) => [name, { type: form === "text" ? ("string" as const) : ("boolean" as const) }]),
  );
  for (const [short, name] of shorts) {
    const option = options[name];
    if (option) options[name] = Object.assign(option, { short });
  }
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowNegative: true, tokens: true });
  const words: string[] = [];
  const flags: GivenFlag[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, value, inlineValue, rawName } = token;
    const isNegated = rawName.startsWith("--no-") && !forms.has(rawName.slice(2)) && value === undefined;
    const flagName = isNegated ? rawName.slice(5) : name;
    const form = forms.get(flagName);
    if (form === "text" && (value === undefined || isNegated)) {
      throw createUsageFailure(`${rawName} needs a value: ${rawName}=<value>`);
    }
    if (form === "text" && !inlineValue && value?.startsWith("--")) {
      throw createUsageFailure(`${rawName} needs a value; if ${value} is the value, write ${rawName}=${value}`);
    }
    flags.push({ name: flagName, value: value ?? !isNegated });
  }
  return { words, flags };
}

/** Returns the forms of the flags that every command knows, in kebab and camel case. */
export function listCommonForms(): Map<string, FlagForm> {
  return new Map(Object.entries(COMMON_FLAGS).map(([name, { form }]) => [name, form]));
}

/** Returns the forms of a command's own flags together with the common ones. */
export function listForms(own: Readonly<Record<string, Pick<OwnFlag, "form">>> = {}): Map<string, FlagForm> {
  return new Map([...listCommonForms(), ...Object.entries(own).map(([name, { form }]) => [name, form] as const)]);
}

/** Returns the value of a switch, also if written as `=true` or `=false`. */
export function readSwitch({ name, value }: GivenFlag): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw createUsageFailure(`--${name}=${value}: write --${name}, --no-${name}, --${name}=true or --${name}=false`);
}

interface Leading {
  readonly words: readonly string[];
  readonly rest: readonly string[];
}

/** Returns the first words, with flags allowed between them, up to an unknown flag without `=`. */
export function splitLeadingWords(
  args: readonly string[],
  count: number,
  forms: ReadonlyMap<string, FlagForm>,
): Leading {
  const words: string[] = [];
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? "";
    if (words.length === count) {
      rest.push(...args.slice(i));
      break;
    }
    if (word === "--") {
      // All arguments after it are words, also those that begin with a hyphen.
      const missing = count - words.length;
      const others = args.slice(i + 1 + missing);
      words.push(...args.slice(i + 1, i + 1 + missing));
      rest.push(...(others.length > 0 ? ["--", ...others] : []));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    rest.push(word);
    const form = word.startsWith("--") ? forms.get(word.slice(2)) : word === "-o" ? "text" : "switch";
    if (form === "text") rest.push(...args.slice(++i, i + 1));
    if (form === undefined && !word.includes("=") && !word.startsWith("--no-")) {
      rest.push(...args.slice(i + 1));
      break;
    }
  }
  return { words, rest };
}

type TextFlag = { [F in CommonFlag]: (typeof COMMON_FLAGS)[F]["form"] extends "text" ? F : never }[CommonFlag];
type SwitchFlag = Exclude<CommonFlag, TextFlag>;

/** Common flags that were given; each at most once. */
export type Common = { readonly [F in TextFlag]?: string } & { readonly [F in SwitchFlag]?: boolean };

/** Separates the common flags from the other flags; `own` names flags of the command. */
export function takeCommon(
  flags: readonly GivenFlag[],
  own: (name: string) => boolean,
): { readonly common: Common; readonly rest: readonly GivenFlag[] } {
  const common: Record<string, string | boolean> = {};
  const rest: GivenFlag[] = [];
  for (const flag of flags) {
    const name = toKebabCase(flag.name);
    const entry = Object.hasOwn(COMMON_FLAGS, name) ? COMMON_FLAGS[name as CommonFlag] : undefined;
    if (!entry || own(flag.name)) {
      rest.push(flag);
      continue;
    }
    if (Object.hasOwn(common, name)) throw createUsageFailure(`--${name} was given twice.`);
    common[name] = entry.form === "switch" ? readSwitch(flag) : String(flag.value);
  }
  // Each value was read in the form of its flag.
  return { common: common as Common, rest };
}

/** Returns the version of the package, found above the source or above the built file. */
export function readOwnVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return existsSync(file)
    ? String((JSON.parse(readFileSync(file, "utf8")) as { version: unknown }).version)
    : "unknown";
}
