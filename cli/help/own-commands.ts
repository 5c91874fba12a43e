import { type COMMANDS, flagLines } from "../calls/help-pages.ts";
import {
  APPLY_FLAGS,
  DIFF_FLAGS,
  EXPORT_FLAGS,
  GRANT_FLAGS,
  INIT_FLAGS,
  LOGIN_FLAGS,
  OPEN_FLAGS,
  type OwnFlag,
  PULL_FLAGS,
  SEARCH_FLAGS,
  START_FLAGS,
} from "../input/flags.ts";
import type { Styled } from "../terminal/text-stream.ts";

interface Page {
  readonly synopsis: readonly string[];
  readonly description: readonly string[];
  readonly flags?: Readonly<Record<string, OwnFlag>>;
}

/** The help of the commands that are no actions. */
const PAGES: Readonly<Record<keyof typeof COMMANDS, Page>> = {
  help: {
    synopsis: ["metaction help [<group> [<action>]]"],
    description: ["Shows help, also without the service once it was asked."],
  },
  start: {
    synopsis: ["metaction start [--port=8080] [--host=127.0.0.1] [--data=.metaction]"],
    description: [
      "Runs the service with the web application on this machine until Ctrl-C; its data is in one folder. At the",
      "first start it prints how the administrator is made. Settings without a flag are environment variables,",
      "such as METACTION_ISSUERS; a flag goes before its variable.",
    ],
    flags: START_FLAGS,
  },
  init: {
    synopsis: [
      "metaction init",
      "metaction init --url=… --username=… --password=@file [--secret=@file] [--profile=…]",
      "metaction init --url=… --issuer=…",
    ],
    description: [
      "Names a service and signs in to it, in one: afterwards every command works. It asks on a terminal for what",
      "no flag tells, and signs in as the service says: with name and password, or at a provider in the browser.",
      "Where there is no administrator yet it makes the first one, with the bootstrap secret; that of a service",
      "on this machine is found by itself in .metaction of the current folder (METACTION_DATA_DIR). Both go into",
      "a profile of ~/.config/metaction/config.toml; that of another service is left alone.",
    ],
    flags: INIT_FLAGS,
  },
  login: {
    synopsis: [
      "metaction login [--url=…] [--profile=…] [--username=…]",
      "metaction login --token=@token.txt",
      "metaction login --with-token < token.txt",
      "metaction login --issuer=… --client-id=… [--port=8400] [--scope=…] [--resource=…]",
      "metaction login --issuer=… --client-id=… --client-secret=@file [--scope=…] [--resource=…]",
    ],
    description: [
      "Signs in and keeps the token in a profile of ~/.config/metaction/config.toml (mode 0600), which becomes",
      "the current one. A built-in user is asked for the password on the terminal, else it is read from stdin.",
      "With --token (@file, - for stdin) it keeps that token, such as an API token of auth token_create. With",
      "--issuer it signs in at an OIDC provider, in the browser (authorization code with PKCE, on",
      "http://localhost:<port>/callback) or, with a client secret, as a program (client credentials).",
      "--resource names the API the token is for, where the provider wants to be told (RFC 8707).",
    ],
    flags: LOGIN_FLAGS,
  },
  logout: {
    synopsis: ["metaction logout [--profile=…]"],
    description: ["Forgets the tokens of a profile; its URL stays."],
  },
  use: {
    synopsis: ["metaction use [<profile>]"],
    description: ["Makes a profile the current one; alone it lists the profiles."],
  },
  whoami: { synopsis: ["metaction whoami"], description: ["Runs auth whoami."] },
  config: {
    synopsis: ["metaction config"],
    description: ["Shows the settings in effect and where each comes from. The actions of the group config follow."],
  },
  show: {
    synopsis: ["metaction show <model> [<entity>] [--output=text|json|…]", "metaction show crm/customer"],
    description: [
      "A page about a model: name, version, description, tags, its entities with the number of their attributes,",
      "its relationships; or about an entity: its attributes, keys and relationships. Text on a terminal, the same",
      "as JSON when piped. It reads with model_get, entity_get and the lists of what is in them.",
    ],
  },
  open: {
    synopsis: ["metaction open [<model> [<entity> [<attribute>]]] [--print]", "metaction open crm/customer.email"],
    description: [
      "Prints the address of the page in the web application, and on a terminal opens it in a browser.",
      "A word is a key, or a place as a search shows it.",
    ],
    flags: OPEN_FLAGS,
  },
  search: {
    synopsis: [
      "metaction search <text> [--kind=…] [--tag=…] [--models=…] [--limit=100]",
      "metaction search --tag=privacy/personal --kind=attribute --models=crm,sales",
    ],
    description: [
      "Finds by text in keys, names and descriptions (model search), by tags, or by both, and shows the place of",
      "each, such as crm/customer.email. A tag is <group>/<tag>, or <tag> for those of models. JSON has the rows",
      "of the action. Of several kinds any one will do, of several tags each is needed.",
    ],
    flags: SEARCH_FLAGS,
  },
  import: {
    synopsis: [
      "metaction import <file-or-url> [--modelKey=…] [--modelName=…]",
      "metaction import - < datapackage.json",
    ],
    description: ["Runs model import: a URL is read by the service, a local file is sent as content."],
  },
  export: {
    synopsis: ["metaction export <model> [--version=…] > file", "metaction export <model> --as dbml [--out=crm.dbml]"],
    description: [
      "Runs model model_export, or model_export_version. A bare word is the model's key. With --as it runs",
      "model model_export_as: the text of the file as it is, and on stderr what is not in it.",
    ],
    flags: EXPORT_FLAGS,
  },
  diff: {
    synopsis: [
      "metaction diff <a> <b> [--output=text|markdown|json|…] [--fail-on=breaking|additive|cosmetic]",
      "metaction diff <a> <b> --as postgresql|markdown > file",
    ],
    description: [
      "Runs model model_compare. Each side is a model, model@version, or a file in any format that import reads",
      "(@file if its name has no extension). Text on a terminal, JSON when piped, Markdown for pull requests. With --fail-on it ends with",
      "exit code 8 when there is a difference of that impact or of a greater one. With --as it runs model",
      "model_compare_as: a draft of a migration of PostgreSQL, or a report, and on stderr what is not in it.",
    ],
    flags: DIFF_FLAGS,
  },
  release: {
    synopsis: ["metaction release <model> <version>"],
    description: ["Runs model model_release: what the model holds becomes a version, such as 1.2.0."],
  },
  grant: {
    synopsis: ["metaction grant <who> <role> [--models='crm*'] [--revoke]"],
    description: [
      "Gives a role to a user, to a service account or to anyone else who has called (auth actor_add_role), from",
      "the next call on: for everything, or for the models of a pattern, of which several are apart by commas.",
      "<who> is a username, what an issuer calls somebody, an e-mail address or an id. With --revoke the role",
      "that was given so is taken away (auth actor_delete_role).",
    ],
    flags: GRANT_FLAGS,
  },
  plan: {
    synopsis: [
      "metaction plan <file|folder> [--create] [--prune] [--fail-on=…] [--output=text|markdown|json|…]",
      "metaction plan - --model=<key> < datapackage.json",
    ],
    description: [
      "Shows the steps by which a model would become what a document says, and writes nothing: the dry run of",
      "model model_apply. The document is JSON or YAML, a model document, a Data Package or a Table Schema. What",
      "it leaves out stays; objects that it lacks are deleted with --prune only. Signs: + create, ~ update or",
      "move, > rename, - delete, ? may be a rename; each step is breaking, additive or cosmetic.",
      "Of a folder, each .json, .yaml and .yml file in it that is a model has a plan, and a table sums up.",
      "--output=markdown is made for a comment on a pull request and never longer than one may be.",
    ],
    flags: APPLY_FLAGS,
  },
  apply: {
    synopsis: [
      "metaction apply <file|folder> [--create] [--prune] [--fail-on=…] [--yes]",
      "metaction apply crm.yaml --plan=<name of the plan that was reviewed>",
    ],
    description: [
      "Makes a model what a document says. It shows the plan on stderr, asks on a terminal (unless --yes), and",
      "applies that plan and no other: where the model changed meanwhile it shows the new plan and ends with 6.",
      "With --fail-on, a model whose plan has such a step is left as it is, and the command ends with 8.",
      "Of a folder, each model is applied by itself; one that is refused does not keep the others back, unless",
      "--fail-fast. The exit code is that of the first one that was refused, and 8 where --fail-on held one back.",
    ],
    flags: APPLY_FLAGS,
  },
  pull: {
    synopsis: ["metaction pull <model> [<file>] [--check]"],
    description: [
      "Writes a model into its file, in the format that the file has, and tells what changed. A YAML file keeps",
      "its comments, a file keeps the order of its members and lists, and one without ids gets none. Without a",
      "name it is <model>.json, .yaml or .yml, whichever is there.",
    ],
    flags: PULL_FLAGS,
  },
  completion: {
    synopsis: ["metaction completion bash|zsh|fish"],
    description: [
      "Prints a completion script, for the shell's start file:",
      "    bash, zsh: source <(metaction completion bash)",
      "    fish: metaction completion fish | source",
    ],
  },
};

/** The flags of a command beside the common ones; undefined for a word that is no command. */
export function flagsOfCommand(name: string): Readonly<Record<string, OwnFlag>> | undefined {
  return Object.hasOwn(PAGES, name) ? (PAGES[name as keyof typeof PAGES].flags ?? {}) : undefined;
}

/** The page of a command. */
export function commandPage(name: string): Styled {
  // Asked for by whoever found the name among the commands.
  const { synopsis, description, flags } = PAGES[name as keyof typeof PAGES];
  const lines = (texts: readonly string[]): string => texts.map((text) => `    ${text}\n`).join("");
  return [
    { bold: "SYNOPSIS" },
    `\n${lines(synopsis)}\n`,
    { bold: "DESCRIPTION" },
    `\n${lines(description)}`,
    ...(flags ? ["\n", { bold: "FLAGS" }, `\n${lines(flagLines(flags))}`] : []),
  ];
}
