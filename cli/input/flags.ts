import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { IMPACTS } from "../../shared/domain/differences.ts";
import { usage } from "../terminal/failure.ts";

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
export function readSwitch({ name, value }: GivenFlag): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw usage(`--${name}=${value}: write --${name}, --no-${name}, --${name}=true or --${name}=false`);
}

/** The first words of a command line, and everything else in its order. */
interface Leading {
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

type TextFlag = { [F in CommonFlag]: (typeof COMMON_FLAGS)[F]["form"] extends "text" ? F : never }[CommonFlag];
type SwitchFlag = Exclude<CommonFlag, TextFlag>;

/** The common flags that were given; each at most once. */
export type Common = { readonly [F in TextFlag]?: string } & { readonly [F in SwitchFlag]?: boolean };

/** Takes the common flags out of the flags of a command; `own` are the names that the command itself uses otherwise. */
export function takeCommon(
  flags: readonly GivenFlag[],
  own: (name: string) => boolean,
): { readonly common: Common; readonly rest: readonly GivenFlag[] } {
  const common: Record<string, string | boolean> = {};
  const rest: GivenFlag[] = [];
  for (const flag of flags) {
    const name = kebab(flag.name);
    const known = Object.hasOwn(COMMON_FLAGS, name) ? COMMON_FLAGS[name as CommonFlag] : undefined;
    if (!known || own(flag.name)) {
      rest.push(flag);
      continue;
    }
    if (Object.hasOwn(common, name)) throw usage(`--${name} is given twice`);
    common[name] = known.form === "switch" ? readSwitch(flag) : String(flag.value);
  }
  // Each was read by the form of its flag.
  return { common: common as Common, rest };
}

/** The flags of `init` beside the common ones. */
export const INIT_FLAGS = {
  username: { form: "text", tells: "who signs in; asked for on a terminal" },
  password: { form: "text", tells: "@file, or - for stdin; asked for on a terminal" },
  fullname: { form: "text", tells: "the name to show of the first administrator; the username unless given" },
  secret: { form: "text", tells: "@file with the bootstrap secret, which makes the first administrator" },
  issuer: { form: "text", tells: "sign in at this provider, in the browser; one that the service names" },
} satisfies Record<string, OwnFlag>;

/** The flags of `login` beside the common ones. */
export const LOGIN_FLAGS = {
  username: { form: "text", tells: "who signs in; asked for on a terminal" },
  "with-token": { form: "switch", tells: "keep the token that comes on stdin" },
  issuer: { form: "text", tells: "sign in at this OIDC provider" },
  "client-id": { form: "text", tells: "the client that is registered there" },
  "client-secret": { form: "text", tells: "@file, or - for stdin; signs in as a program" },
  scope: { form: "text", tells: "the scopes to ask for" },
  resource: { form: "text", tells: "the API the token is for (RFC 8707)" },
  port: { form: "text", tells: "the port on localhost that the browser comes back to; 8400 unless given" },
} satisfies Record<string, OwnFlag>;

/** The words that people have for what a search finds, with those of its answers. */
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

/** The flags of `search` beside the common ones. */
export const SEARCH_FLAGS = {
  tag: { form: "text", tells: "what bears this tag, such as privacy/personal; of several, each of them", list: true },
  kind: { form: "text", tells: "what is of this kind", values: Object.keys(KINDS_FOUND), list: true },
  models: { form: "text", tells: "the models to look into, all unless given", list: true },
  limit: { form: "text", tells: "how many to show; 100 unless given" },
} satisfies Record<string, OwnFlag>;

/** The flags of `grant` beside the common ones. */
export const GRANT_FLAGS = {
  models: { form: "text", tells: "the models it is for, such as 'crm*'; everything unless given", list: true },
  revoke: { form: "switch", tells: "take the role away" },
} satisfies Record<string, OwnFlag>;

/** The flags of `open` beside the common ones. */
export const OPEN_FLAGS = {
  print: { form: "switch", tells: "print the address alone, and open no browser" },
} satisfies Record<string, OwnFlag>;

/** The flags of `plan` and of `apply` beside the common ones. */
export const APPLY_FLAGS = {
  model: { form: "text", tells: "the model; the one that the document names by its key unless given" },
  create: { form: "switch", tells: "make the model where it is not there" },
  prune: { form: "switch", tells: "delete what the document lacks" },
  format: { form: "text", tells: "the format of the document; told by its own marks unless given" },
  plan: { form: "text", tells: "go on only if this is still the plan; an earlier one tells its name" },
  "fail-on": {
    form: "text",
    tells: "breaking, additive or cosmetic: refuse such steps and graver ones, with 8",
    values: IMPACTS,
  },
  "fail-fast": { form: "switch", tells: "of a folder: apply nothing more once a model is refused" },
} satisfies Record<string, OwnFlag>;

/** The flags of `pull` beside the common ones. */
export const PULL_FLAGS = {
  format: {
    form: "text",
    tells: "metaction or frictionless, of a new file; one that is there keeps its own",
    values: ["metaction", "frictionless"],
  },
  check: { form: "switch", tells: "write nothing, and end with 8 where the file is not as the model is" },
} satisfies Record<string, OwnFlag>;

/** The flags of `diff` beside the common ones. */
export const DIFF_FLAGS = {
  "fail-on": {
    form: "text",
    tells: "breaking, additive or cosmetic: end with 8 for such a difference or a graver one",
    values: IMPACTS,
  },
  as: { form: "text", tells: "write the difference as postgresql or markdown" },
} satisfies Record<string, OwnFlag>;

/** The flags of `export` beside the common ones. */
export const EXPORT_FLAGS = {
  as: { form: "text", tells: "a format of others, such as dbml, jsonschema, mermaid, postgresql or html" },
  out: { form: "text", tells: "the file to write, in the place of stdout" },
  version: { form: "text", tells: "a released version of the model" },
  revision: { form: "text", tells: "a revision of the model" },
} satisfies Record<string, OwnFlag>;

/** The flags of `start`, each with the variable of the environment in whose place it is. */
export const START_FLAGS = {
  port: { form: "text", tells: "the port, 8080 unless given; 0 takes a free one (PORT)", variable: "PORT" },
  host: {
    form: "text",
    tells: "the address to listen on, 127.0.0.1 unless given (METACTION_HOST)",
    variable: "METACTION_HOST",
  },
  data: {
    form: "text",
    tells: "the data folder, .metaction in this folder unless given (METACTION_DATA_DIR)",
    variable: "METACTION_DATA_DIR",
  },
} satisfies Record<string, OwnFlag & { readonly variable: string }>;

/** The version of the package, which lies above the source and further above what is built of it. */
export function ownVersion(): string {
  const file = ["../../package.json", "../../package.json"]
    .map((path) => new URL(path, import.meta.url))
    .find(existsSync);
  return file ? String((JSON.parse(readFileSync(file, "utf8")) as { version: unknown }).version) : "unknown";
}
