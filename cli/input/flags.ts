import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { IMPACTS } from "../../shared/domain/differences.ts";
import { createUsageFailure } from "../terminal/failure.ts";

/** Form of a flag: with a text, or a switch with `--no-`. */
export type FlagForm = "text" | "switch";

/** A flag of a command that is not an action. */
export interface OwnFlag {
  readonly form: FlagForm;
  readonly tells: string;
  /** Allowed values of a flag that has few. */
  readonly values?: readonly string[];
  /** True if it takes a list. */
  readonly list?: true;
}

/** One flag as given. */
export interface GivenFlag {
  readonly name: string;
  readonly value: string | boolean;
}

export interface GivenArguments {
  readonly words: readonly string[];
  readonly flags: readonly GivenFlag[];
}

/** Flags of every command, in kebab case as help shows them. */
export const COMMON_FLAGS = {
  url: { form: "text", tells: "the URL of the service" },
  token: { form: "text", tells: "the access token" },
  profile: { form: "text", tells: "the profile of the configuration file" },
  output: { form: "text", short: "o", tells: "json, yaml, table, ndjson or raw; a table on a terminal, else json" },
  query: { form: "text", tells: "a JMESPath expression applied to the answer" },
  input: { form: "text", tells: "a JSON file with the whole payload, or - for stdin" },
  "dry-run": { form: "switch", tells: "do everything except the write" },
  "if-match": { form: "text", tells: "run only at this revision: the ETag of an answer" },
  "idempotency-key": { form: "text", tells: "makes a retry safe; generated for every write" },
  wait: { form: "switch", tells: "wait for work that became a job (default); --no-wait does not" },
  yes: { form: "switch", short: "y", tells: "delete without asking" },
  quiet: { form: "switch", short: "q", tells: "print only errors on stderr" },
  verbose: { form: "switch", short: "v", tells: "print requests and request ids on stderr" },
  curl: { form: "switch", tells: "print the equivalent curl command instead of calling" },
  color: { form: "switch", tells: "colours; off with --no-color or NO_COLOR" },
  pager: { form: "switch", tells: "page output longer than the screen (PAGER, default less); off with --no-pager" },
  help: { form: "switch", short: "h", tells: "show this help" },
} as const satisfies Record<string, { form: FlagForm; short?: string; tells: string }>;

export type CommonFlag = keyof typeof COMMON_FLAGS;

/** Converts `entityKey` to `entity-key`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}

/**
 * Reads arguments in the forms `--name=value`, `--name value`, `--flag` and `--no-flag`. An unknown flag takes a value
 * only after `=`, because the next word may not belong to it.
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
      throw createUsageFailure(`${rawName} needs a value: ${rawName}=<value>`);
    }
    if (form === "text" && !inlineValue && value?.startsWith("--")) {
      throw createUsageFailure(`${rawName} needs a value; if ${value} is the value, write ${rawName}=${value}`);
    }
    flags.push({ name: bare, value: value ?? !isNegated });
  }
  return { words, flags };
}

/** Returns the forms of the flags that every command knows, in kebab and camel case. */
export function listCommonForms(): Map<string, FlagForm> {
  return new Map(Object.entries(COMMON_FLAGS).map(([name, { form }]) => [name, form]));
}

/** Returns the forms of a command's own flags together with the common ones. */
export function listForms(own: Readonly<Record<string, OwnFlag>>): Map<string, FlagForm> {
  return new Map([...listCommonForms(), ...Object.entries(own).map(([name, { form }]) => [name, form] as const)]);
}

/** Returns the value of a switch, also if written as `=true` or `=false`. */
export function readSwitch({ name, value }: GivenFlag): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw createUsageFailure(`--${name}=${value}: write --${name}, --no-${name}, --${name}=true or --${name}=false`);
}

/** The first words of a command line, and all other arguments in order. */
interface Leading {
  readonly words: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Returns the first `count` words, with flags allowed between them. An unknown flag without `=` ends the search,
 * because the next word may be its value.
 */
export function splitLeadingWords(
  given: readonly string[],
  count: number,
  forms: ReadonlyMap<string, FlagForm>,
): Leading {
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

type TextFlag = { [F in CommonFlag]: (typeof COMMON_FLAGS)[F]["form"] extends "text" ? F : never }[CommonFlag];
type SwitchFlag = Exclude<CommonFlag, TextFlag>;

/** Common flags that were given; each at most once. */
export type Common = { readonly [F in TextFlag]?: string } & { readonly [F in SwitchFlag]?: boolean };

/** Separates the common flags from the other flags; `own` names flags that the command itself defines. */
export function takeCommon(
  flags: readonly GivenFlag[],
  own: (name: string) => boolean,
): { readonly common: Common; readonly rest: readonly GivenFlag[] } {
  const common: Record<string, string | boolean> = {};
  const rest: GivenFlag[] = [];
  for (const flag of flags) {
    const name = toKebabCase(flag.name);
    const known = Object.hasOwn(COMMON_FLAGS, name) ? COMMON_FLAGS[name as CommonFlag] : undefined;
    if (!known || own(flag.name)) {
      rest.push(flag);
      continue;
    }
    if (Object.hasOwn(common, name)) throw createUsageFailure(`--${name} was given twice.`);
    common[name] = known.form === "switch" ? readSwitch(flag) : String(flag.value);
  }
  // Each value was read in the form of its flag.
  return { common: common as Common, rest };
}

/** Own flags of `init`. */
export const INIT_FLAGS = {
  username: { form: "text", tells: "the user who signs in; asked for on a terminal" },
  password: { form: "text", tells: "@file, or - for stdin; asked for on a terminal" },
  fullname: { form: "text", tells: "the display name of the first administrator; default: the username" },
  secret: { form: "text", tells: "@file with the bootstrap secret, which creates the first administrator" },
  issuer: { form: "text", tells: "sign in in the browser at this provider, which the service offers" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `login`. */
export const LOGIN_FLAGS = {
  username: { form: "text", tells: "the user who signs in; asked for on a terminal" },
  "with-token": { form: "switch", tells: "store the token read from stdin" },
  issuer: { form: "text", tells: "sign in at this OIDC provider" },
  "client-id": { form: "text", tells: "the client registered with the provider" },
  "client-secret": { form: "text", tells: "@file, or - for stdin; signs in as a program" },
  scope: { form: "text", tells: "the scopes to request" },
  resource: { form: "text", tells: "the API the token is for (RFC 8707)" },
  port: { form: "text", tells: "the port on localhost for the browser's redirect; default 8400" },
} satisfies Record<string, OwnFlag>;

/** Kinds of search results in words for people, with the kinds of the action. */
export const KINDS_FOUND = {
  model: ["model"],
  type: ["type"],
  entity: ["entity"],
  attribute: ["entityAttribute", "relationshipAttribute"],
  relationship: ["relationship"],
  role: ["relationshipRole"],
  key: ["businessKey"],
  tag: ["tag"],
} as const satisfies Record<string, readonly string[]>;

/** Own flags of `search`. */
export const SEARCH_FLAGS = {
  tag: { form: "text", tells: "objects with this tag, such as privacy/personal; several must all match", list: true },
  kind: { form: "text", tells: "objects of this kind", values: Object.keys(KINDS_FOUND), list: true },
  models: { form: "text", tells: "the models to search; default all", list: true },
  limit: { form: "text", tells: "the number of rows to show; default 100" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `grant`. */
export const GRANT_FLAGS = {
  models: { form: "text", tells: "the models it is for, such as 'crm*'; default everything", list: true },
  revoke: { form: "switch", tells: "revoke the role" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `open`. */
export const OPEN_FLAGS = {
  print: { form: "switch", tells: "only print the address, without opening a browser" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `plan` and `apply`. */
export const APPLY_FLAGS = {
  model: { form: "text", tells: "the model; default: the one that the document names by its key" },
  create: { form: "switch", tells: "create the model if it does not exist" },
  prune: { form: "switch", tells: "delete what the document does not contain" },
  format: { form: "text", tells: "the format of the document; detected by default" },
  plan: { form: "text", tells: "continue only if the plan still has this hash, shown by an earlier plan" },
  "fail-on": {
    form: "text",
    tells: "breaking, additive or cosmetic: refuse steps of this impact or a more severe one, with exit code 8",
    values: IMPACTS,
  },
  "fail-fast": { form: "switch", tells: "in a folder: apply nothing more after a model is refused" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `pull`. */
export const PULL_FLAGS = {
  format: {
    form: "text",
    tells: "metaction or frictionless, for a new file; an existing file keeps its format",
    values: ["metaction", "frictionless"],
  },
  check: { form: "switch", tells: "write nothing, and end with 8 if the file differs from the model" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `diff`. */
export const DIFF_FLAGS = {
  "fail-on": {
    form: "text",
    tells: "breaking, additive or cosmetic: end with 8 for a difference of this impact or a more severe one",
    values: IMPACTS,
  },
  as: { form: "text", tells: "write the difference as postgresql or markdown" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `export`. */
export const EXPORT_FLAGS = {
  as: { form: "text", tells: "a foreign format, such as dbml, jsonschema, mermaid, postgresql or html" },
  out: { form: "text", tells: "the file to write instead of stdout" },
  version: { form: "text", tells: "a released version of the model" },
  revision: { form: "text", tells: "a revision of the model" },
} satisfies Record<string, OwnFlag>;

/** Own flags of `start`, each with the environment variable that it overrides. */
export const START_FLAGS = {
  port: { form: "text", tells: "the port, default 8080; 0 takes a free one (PORT)", variable: "PORT" },
  host: {
    form: "text",
    tells: "the address to listen on, default 127.0.0.1 (METACTION_HOST)",
    variable: "METACTION_HOST",
  },
  data: {
    form: "text",
    tells: "the data folder, default .metaction in this folder (METACTION_DATA_DIR)",
    variable: "METACTION_DATA_DIR",
  },
} satisfies Record<string, OwnFlag & { readonly variable: string }>;

/** Returns the version of the package, found above the source or above the built file. */
export function readOwnVersion(): string {
  const file = ["../../package.json", "../../package.json"]
    .map((path) => new URL(path, import.meta.url))
    .find(existsSync);
  return file ? String((JSON.parse(readFileSync(file, "utf8")) as { version: unknown }).version) : "unknown";
}
