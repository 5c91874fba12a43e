import { parseArgs } from "node:util";
import { usage } from "./failure.ts";

/** The form of a flag: it takes text, or it is a switch with `--no-`. */
export type FlagForm = "text" | "switch";

/** A flag of a command of its own. */
export interface OwnFlag {
  readonly form: FlagForm;
  readonly tells: string;
  /** The only values there are, of a flag that has few. */
  readonly values?: readonly string[];
  /** Whether it takes a list. */
  readonly list?: true;
}

/** One flag as it was given. */
export interface GivenFlag {
  readonly name: string;
  readonly value: string | boolean;
}

export interface GivenArguments {
  readonly words: readonly string[];
  readonly flags: readonly GivenFlag[];
}

/** The flags of every command, in the kebab case in which help shows them. */
export const COMMON_FLAGS = {
  url: { form: "text", tells: "where the service is" },
  token: { form: "text", tells: "the access token" },
  profile: { form: "text", tells: "the profile of the configuration file" },
  output: { form: "text", short: "o", tells: "json, yaml, table, ndjson or raw; a table on a terminal, else json" },
  query: { form: "text", tells: "a JMESPath expression on the answer" },
  input: { form: "text", tells: "a JSON file with the whole payload, or - for stdin" },
  "dry-run": { form: "switch", tells: "do everything but write" },
  "if-match": { form: "text", tells: "run only at this revision: the ETag of an answer" },
  "idempotency-key": { form: "text", tells: "makes a repeat safe; made by itself for every write" },
  wait: { form: "switch", tells: "wait for work that became a job; it does unless --no-wait" },
  yes: { form: "switch", short: "y", tells: "delete without asking" },
  quiet: { form: "switch", short: "q", tells: "nothing on stderr but errors" },
  verbose: { form: "switch", short: "v", tells: "requests and request ids on stderr" },
  curl: { form: "switch", tells: "print the equivalent curl command instead of calling" },
  color: { form: "switch", tells: "colours; --no-color and NO_COLOR switch them off" },
  pager: { form: "switch", tells: "page what is longer than the screen (PAGER, else less); it does unless --no-pager" },
  help: { form: "switch", short: "h", tells: "this help" },
} as const satisfies Record<string, { form: FlagForm; short?: string; tells: string }>;

export type CommonFlag = keyof typeof COMMON_FLAGS;

/** `entityKey` as `entity-key`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}

/**
 * Reads arguments in the forms `--name=value`, `--name value`, `--flag` and `--no-flag`. Of a flag that `forms` does not
 * name, only what stands behind `=` is its value, since the next word may be one of its own.
 */
export function readArguments(given: readonly string[], forms: ReadonlyMap<string, FlagForm>): GivenArguments {
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
  const { tokens } = parseArgs({ args: [...given], options, strict: false, allowNegative: true, tokens: true });
  const words: string[] = [];
  const flags: GivenFlag[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, value, inlineValue, rawName } = token;
    const isNegated = rawName.startsWith("--no-") && !forms.has(rawName.slice(2)) && value === undefined;
    const bare = isNegated ? rawName.slice(5) : name;
    const form = forms.get(bare);
    if (form === "text" && (value === undefined || isNegated)) {
      throw usage(`${rawName} needs a value: ${rawName}=<value>`);
    }
    if (form === "text" && !inlineValue && value?.startsWith("--")) {
      throw usage(`${rawName} needs a value; if it is really ${value}, write ${rawName}=${value}`);
    }
    flags.push({ name: bare, value: value ?? !isNegated });
  }
  return { words, flags };
}

/** The forms of the flags that every command knows; camel case is as good. */
export function commonForms(): Map<string, FlagForm> {
  return new Map(Object.entries(COMMON_FLAGS).map(([name, { form }]) => [name, form]));
}

/** The forms of the flags of a command that has some of its own beside those of every command. */
export function formsWith(own: Readonly<Record<string, OwnFlag>>): Map<string, FlagForm> {
  return new Map([...commonForms(), ...Object.entries(own).map(([name, { form }]) => [name, form] as const)]);
}

/** `true` or `false` of a switch, also where it was written out. */
export function switchOf({ name, value }: GivenFlag): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw usage(`--${name}=${value}: write --${name}, --no-${name}, --${name}=true or --${name}=false`);
}
