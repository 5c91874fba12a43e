import { type COMMANDS, formatFlagLines } from "../calls/help-pages.ts";
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

/** Help pages of the commands that are not actions. */
const PAGES: Readonly<Record<keyof typeof COMMANDS, Page>> = {
  help: {
    synopsis: ["metaction help [<group> [<action>]]"],
    description: ["Shows help; also works offline once the service was asked."],
  },
  start: {
    synopsis: ["metaction start [--port=8080] [--host=127.0.0.1] [--data=.metaction]"],
    description: [
      "Runs the service with the web application on this machine until Ctrl-C, with its data in one folder. The",
      "first start prints how to create the administrator. Settings without a flag are environment variables,",
      "such as METACTION_ISSUERS; a flag overrides its variable.",
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
      "Connects to a service and signs in to it; afterwards every command works. On a terminal it asks for what",
      "no flag gives, and signs in as the service offers: with name and password, or at a provider in the browser.",
      "If there is no administrator yet, it creates the first one with the bootstrap secret; the secret of a local",
      "service is read from .metaction of the current folder (METACTION_DATA_DIR). URL and token are stored in",
      "a profile of ~/.config/metaction/config.toml; profiles of other services stay unchanged.",
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
      "Signs in and stores the token in a profile of ~/.config/metaction/config.toml (mode 0600), which becomes",
      "current. A built-in user is asked for the password on the terminal; otherwise it is read from stdin.",
      "With --token (@file, - for stdin) it stores that token, such as an API token of auth token_create. With",
      "--issuer it signs in at an OIDC provider, in the browser (authorization code with PKCE, on",
      "http://localhost:<port>/callback) or, with a client secret, as a program (client credentials).",
      "--resource names the API the token is for, if the provider requires it (RFC 8707).",
    ],
    flags: LOGIN_FLAGS,
  },
  logout: {
    synopsis: ["metaction logout [--profile=…]"],
    description: ["Removes the tokens of a profile and keeps its URL."],
  },
  use: {
    synopsis: ["metaction use [<profile>]"],
    description: ["Makes a profile current; without an argument it lists the profiles."],
  },
  whoami: { synopsis: ["metaction whoami"], description: ["Runs auth whoami."] },
  config: {
    synopsis: ["metaction config"],
    description: ["Shows the settings in effect and where each comes from. The actions of group config follow."],
  },
  show: {
    synopsis: ["metaction show <model> [<entity>] [--output=text|json|…]", "metaction show crm/customer"],
    description: [
      "Shows a model: name, version, description, tags, its entities with their attribute counts, and its",
      "relationships; or an entity: its attributes, keys and relationships. Text on a terminal, the same data",
      "as JSON when piped. It reads with model_get, entity_get and the lists of their parts.",
    ],
  },
  open: {
    synopsis: ["metaction open [<model> [<entity> [<attribute>]]] [--print]", "metaction open crm/customer.email"],
    description: [
      "Prints the address of the page in the web application, and opens it in a browser on a terminal.",
      "A word is a key, or a path as a search shows it.",
    ],
    flags: OPEN_FLAGS,
  },
  search: {
    synopsis: [
      "metaction search <text> [--kind=…] [--tag=…] [--models=…] [--limit=100]",
      "metaction search --tag=privacy/personal --kind=attribute --models=crm,sales",
    ],
    description: [
      "Searches keys, names and descriptions by text (model search), by tags, or both, and shows the path of",
      "each match, such as crm/customer.email. A tag is <group>/<tag>, or <tag> for local tags. JSON has the rows",
      "of the action. An object matches any of several kinds, and all of several tags.",
    ],
    flags: SEARCH_FLAGS,
  },
  import: {
    synopsis: [
      "metaction import <file-or-url> [--modelKey=…] [--modelName=…]",
      "metaction import - < datapackage.json",
    ],
    description: ["Runs model import: the service reads a URL; a local file is sent as content."],
  },
  export: {
    synopsis: ["metaction export <model> [--version=…] > file", "metaction export <model> --as dbml [--out=crm.dbml]"],
    description: [
      "Runs model model_export, or model_export_version. A bare word is the model's key. With --as it runs",
      "model model_export_as: prints the file as it is, and on stderr what the file leaves out.",
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
      "exit code 8 if there is a difference of that impact or a more severe one. With --as it runs model",
      "model_compare_as: a draft PostgreSQL migration, or a report, and on stderr what the file leaves out.",
    ],
    flags: DIFF_FLAGS,
  },
  release: {
    synopsis: ["metaction release <model> <version>"],
    description: ["Runs model model_release: the current content becomes a version, such as 1.2.0."],
  },
  grant: {
    synopsis: ["metaction grant <who> <role> [--models='crm*'] [--revoke]"],
    description: [
      "Grants a role to a user, a service account or any other actor that has called (auth actor_add_role),",
      "effective from the next call: for everything, or for models that match comma-separated patterns.",
      "<who> is a username, an external subject, an e-mail address or an id. With --revoke the same grant",
      "is removed (auth actor_delete_role).",
    ],
    flags: GRANT_FLAGS,
  },
  plan: {
    synopsis: [
      "metaction plan <file|folder> [--create] [--prune] [--fail-on=…] [--output=text|markdown|json|…]",
      "metaction plan - --model=<key> < datapackage.json",
    ],
    description: [
      "Shows the steps that would make a model match a document, and writes nothing: the dry run of",
      "model model_apply. The document is JSON or YAML, a model document, a Data Package or a Table Schema. What",
      "it leaves out stays; objects that it lacks are deleted only with --prune. Signs: + create, ~ update or",
      "move, > rename, - delete, ? may be a rename; each step is breaking, additive or cosmetic.",
      "In a folder, each .json, .yaml and .yml file that is a model has a plan, and a table sums up.",
      "--output=markdown fits into a pull request comment.",
    ],
    flags: APPLY_FLAGS,
  },
  apply: {
    synopsis: [
      "metaction apply <file|folder> [--create] [--prune] [--fail-on=…] [--yes]",
      "metaction apply crm.yaml --plan=<name of the plan that was reviewed>",
    ],
    description: [
      "Changes a model to match a document. It shows the plan on stderr, asks on a terminal (unless --yes), and",
      "applies exactly that plan: if the model changed meanwhile, it shows the new plan and ends with 6.",
      "With --fail-on, a model whose plan has such a step stays unchanged, and the command ends with 8.",
      "In a folder, each model is applied separately; a refused one does not hold back the others, unless",
      "--fail-fast. The exit code is that of the first refused one, or 8 if --fail-on held one back.",
    ],
    flags: APPLY_FLAGS,
  },
  pull: {
    synopsis: ["metaction pull <model> [<file>] [--check]"],
    description: [
      "Writes a model into its file, in the format of the file, and lists the changes. A YAML file keeps",
      "its comments, a file keeps the order of its members and lists, and a file without ids gets none. The",
      "default file is <model>.json, .yaml or .yml, whichever exists.",
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

/** Returns the own flags of a command; undefined for a word that is not a command. */
export function findCommandFlags(name: string): Readonly<Record<string, OwnFlag>> | undefined {
  return Object.hasOwn(PAGES, name) ? (PAGES[name as keyof typeof PAGES].flags ?? {}) : undefined;
}

/** Returns the help page of a command. */
export function formatCommandPage(name: string): Styled {
  // The caller checked that the name is a command.
  const { synopsis, description, flags } = PAGES[name as keyof typeof PAGES];
  const lines = (texts: readonly string[]): string => texts.map((text) => `    ${text}\n`).join("");
  return [
    { bold: "SYNOPSIS" },
    `\n${lines(synopsis)}\n`,
    { bold: "DESCRIPTION" },
    `\n${lines(description)}`,
    ...(flags ? ["\n", { bold: "FLAGS" }, `\n${lines(formatFlagLines(flags))}`] : []),
  ];
}
