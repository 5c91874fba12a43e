import { LOGICAL_TYPE_NAMES } from "../../shared/domain/types/logical/logical-type.ts";
import { COMPATIBILITIES, FAILURES } from "./fail-on.ts";
import type { OwnFlag, Parameter } from "./flags.ts";

/** A command: its help, its arguments and its completion. */
export interface Command {
  readonly summary: string;
  readonly synopsis: readonly string[];
  readonly description: readonly string[];
  readonly words?: WordCount;
  readonly completes?: readonly Parameter[];
  /** Forms of the output in addition to those of `--output`; a terminal gets the first one. */
  readonly forms?: readonly string[];
  /** Action that implements the command, with the flags of its parameters. */
  readonly runs?: readonly [group: string, action: string];
  readonly flags?: Readonly<Record<string, OwnFlag>>;
}

interface WordCount {
  readonly least?: number;
  readonly needs?: string;
  readonly most: number;
  readonly takes?: string;
}

const takeText = (summary: string, more: Omit<OwnFlag, "form" | "summary"> = {}): OwnFlag => ({
  form: "text",
  summary,
  ...more,
});
const takeSwitch = (summary: string): OwnFlag => ({ form: "switch", summary });

const MODEL: Parameter = ["model/model_get", "modelRef"];
const ENTITY: Parameter = ["model/entity_get", "entityRef"];

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

const APPLY_FLAGS: Command["flags"] = {
  model: takeText("the model; default: the one that the document names by its key", { completes: MODEL }),
  create: takeSwitch("create the model if it does not exist; never changes one that was made from another source"),
  source: takeText(
    "the label of the source in the history, and with --create in the model; default: the path of the file",
  ),
  prune: takeSwitch("delete what the document does not contain"),
  format: takeText("the format of the document; detected by default", { completes: ["model/model_apply", "format"] }),
  plan: takeText("continue only if the plan still has this hash, shown by an earlier plan"),
  "fail-on": takeText(
    "a class of differences (breaking, behavioural, additive, operational, cosmetic), or readers or writers: refuse steps of this class or a more severe one, or that break this side, with exit code 8",
    { values: FAILURES },
  ),
  "allow-breaking": takeSwitch("without a terminal: apply breaking and deleting steps too"),
  "allow-unknown": takeSwitch("ignore unknown members of a model document, with a warning for each"),
  lenient: takeSwitch("read what can be read of a broken SQL text, with warnings"),
  "fail-fast": takeSwitch("in a folder: apply nothing more after a model is refused"),
};

const TABLE = {
  help: {
    summary: "help, help <group>, help <group> <action>",
    synopsis: ["metaction help [<group> [<action>]]"],
    description: ["Shows help; also works offline once the service was asked."],
  },
  start: {
    summary: "run the service on this machine",
    synopsis: ["metaction start [--port=8080] [--host=127.0.0.1] [--data=.metaction]"],
    description: [
      "Runs the service with the web application on this machine until Ctrl-C, with its data in one folder. The",
      "first start prints how to create the administrator. Settings without a flag are environment variables,",
      "such as METACTION_ISSUERS; a flag overrides its variable.",
    ],
    words: { most: 0 },
    flags: {
      port: takeText("the port, default 8080; 0 takes a free one (PORT)", { variable: "PORT" }),
      host: takeText("the address to listen on, default 127.0.0.1 (METACTION_HOST)", { variable: "METACTION_HOST" }),
      data: takeText("the data folder, default .metaction in this folder (METACTION_DATA_DIR)", {
        variable: "METACTION_DATA_DIR",
      }),
    },
  },
  init: {
    summary: "name a service and sign in to it",
    synopsis: [
      "metaction init",
      "metaction init --url=… --username=… --password=@file [--secret=@file] [--profile=…]",
      "metaction init --url=… --issuer=… [--port=8400]",
    ],
    description: [
      "Connects to a service and signs in to it; afterwards every command works. On a terminal it asks for what",
      "no flag gives, and signs in as the service offers: with name and password, or at a provider in the browser.",
      "If there is no administrator yet, it creates the first one with the bootstrap secret; the secret of a local",
      "service is read from .metaction of the current folder (METACTION_DATA_DIR). URL and token are stored in",
      "a profile of ~/.config/metaction/config.toml; profiles of other services stay unchanged.",
    ],
    flags: {
      username: takeText("the user who signs in; asked for on a terminal"),
      password: takeText("@file, or - for stdin; asked for on a terminal"),
      fullname: takeText("the display name of the first administrator; default: the username"),
      secret: takeText("@file with the bootstrap secret, which creates the first administrator"),
      issuer: takeText("sign in in the browser at this provider, which the service offers"),
      port: takeText("the port on localhost for the browser's redirect; default 8400"),
    },
  },
  login: {
    summary: "sign in and keep the token in a profile",
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
    words: { most: 0 },
    flags: {
      username: takeText("the user who signs in; asked for on a terminal"),
      "with-token": takeSwitch("store the token read from stdin"),
      issuer: takeText("sign in at this OIDC provider"),
      "client-id": takeText("the client registered with the provider"),
      "client-secret": takeText("@file, or - for stdin; signs in as a program"),
      scope: takeText("the scopes to request"),
      resource: takeText("the API the token is for (RFC 8707)"),
      port: takeText("the port on localhost for the browser's redirect; default 8400"),
    },
  },
  logout: {
    summary: "end the session of a profile",
    synopsis: ["metaction logout [--profile=…]"],
    description: [
      "Ends the session that login began, and removes the tokens of a profile. A token that login was given stays valid.",
    ],
    words: { most: 0 },
  },
  use: {
    summary: "switch the current profile, or list the profiles",
    synopsis: ["metaction use [<profile>]"],
    description: ["Makes a profile current; without an argument it lists the profiles."],
    words: { most: 1, takes: "one profile" },
  },
  whoami: {
    summary: "show the caller of the current token",
    synopsis: ["metaction whoami"],
    description: ["Runs auth whoami."],
    runs: ["auth", "whoami"],
  },
  config: {
    summary: "show the settings in effect and where each comes from",
    synopsis: ["metaction config"],
    description: ["Shows the settings in effect and where each comes from. The actions of group config follow."],
    words: { most: 0 },
  },
  show: {
    summary: "show a page about a model or an entity",
    synopsis: ["metaction show <model> [<entity>] [--output=text|json|…]", "metaction show crm/customer"],
    description: [
      "Shows a model: name, version, description, tags, its entities with their attribute counts, and its",
      "relationships; or an entity: its attributes, keys and relationships. Text on a terminal, the same data",
      "as JSON when piped. It reads with model_get, entity_get and the lists of their parts.",
    ],
    words: {
      least: 1,
      most: 2,
      takes: "a model and an entity",
      needs: "a model, and takes an entity: metaction show crm customer",
    },
    completes: [MODEL, ENTITY],
    forms: ["text"],
  },
  search: {
    summary: "find models, entities, attributes and more by text, tags and types",
    synopsis: [
      "metaction search <text> [--kind=…] [--tag=…] [--logical-type=…] [--models=…] [--limit=100]",
      "metaction search --tag=privacy/personal --kind=attribute --models=crm,sales",
    ],
    description: [
      "Searches keys, names and descriptions by text (model search), by tags, or both, and shows the path of",
      "each match, such as crm/customer.email. A tag is <group>/<tag>, or <tag> for local tags. JSON has the rows",
      "of the action. An object matches any of several kinds and logical types, and all of several tags.",
    ],
    flags: {
      tag: takeText("objects with this tag, such as privacy/personal; several must all match", {
        list: true,
        completes: ["model/model_add_tag", "tagRef"],
      }),
      kind: takeText("objects of this kind", { values: Object.keys(KINDS_FOUND), list: true }),
      "logical-type": takeText("attributes whose type has such values in any dialect, such as timestamp", {
        values: LOGICAL_TYPE_NAMES,
        list: true,
      }),
      models: takeText("the models to search; default all", { list: true, completes: MODEL }),
      limit: takeText("the number of rows to show; default 100"),
    },
  },
  import: {
    summary: "create a model from a file or URL",
    synopsis: [
      "metaction import <file-or-url> [--modelKey=…] [--modelName=…]",
      "metaction import - < datapackage.json",
    ],
    description: ["Runs model import: the service reads a URL; a local file is sent as content."],
    runs: ["model", "import"],
  },
  export: {
    summary: "write a model as one document",
    synopsis: ["metaction export <model> [--version=…] > file", "metaction export <model> --as dbml [--out=crm.dbml]"],
    description: [
      "Runs model model_export, or model_export_version. A bare word is the model's key. With --as it runs",
      "model model_export_as: prints the file as it is, and on stderr what the file leaves out.",
    ],
    completes: [MODEL],
    runs: ["model", "model_export_version"],
    flags: {
      as: takeText("a foreign format, such as dbml, jsonschema, mermaid, postgresql or html", {
        completes: ["model/model_export_as", "format"],
      }),
      out: takeText("the file to write instead of stdout"),
      version: takeText("a released version of the model"),
      revision: takeText("a revision of the model"),
    },
  },
  diff: {
    summary: "compare two models, versions or files",
    synopsis: [
      "metaction diff <a> <b> [--output=text|markdown|json|…] [--fail-on=<class|readers|writers>] [--compatibility=<mode>]",
      "metaction diff <a> <b> --as postgresql|markdown > file",
    ],
    description: [
      "Runs model model_compare. Each side is a model, model@version, or a file in any format that import reads",
      "(@file if its name has no extension). Text on a terminal, JSON when piped, Markdown for pull requests. With --fail-on it ends with",
      "exit code 8 if there is a difference of that class or a more severe one, or one that breaks that side. With --as it runs model",
      "model_compare_as: a draft PostgreSQL migration, or a report, and on stderr what the file leaves out.",
    ],
    completes: [MODEL, MODEL],
    forms: ["text", "markdown"],
    runs: ["model", "model_compare"],
    flags: {
      "fail-on": takeText(
        "a class of differences (breaking, behavioural, additive, operational, cosmetic), or readers or writers: end with 8 for a difference of this class or a more severe one, or that breaks this side",
        { values: FAILURES },
      ),
      compatibility: takeText(
        "backward, forward or full, as in schema registries: end with 8 for a difference that breaks writers by the old definition, readers of it, or both; with _transitive, the left side is every release of the model",
        { values: COMPATIBILITIES },
      ),
      strict: takeSwitch("with --compatibility: a risk counts like a break"),
      as: takeText("write the difference as postgresql or markdown"),
    },
  },
  release: {
    summary: "release the current content of a model as a version",
    synopsis: ["metaction release <model> <version>"],
    description: ["Runs model model_release: the current content becomes a version, such as 1.2.0."],
    completes: [MODEL],
    runs: ["model", "model_release"],
  },
  undo: {
    summary: "take back a run in its models, on top of their present state",
    synopsis: ["metaction undo <run> [<model>…] [--on-conflict=keep|back] [--dry-run] [--yes|--allow-breaking]"],
    description: [
      "Runs model model_undo for each model in which the run has commits, or for the models given. It shows on",
      "stderr what each undo changes and what stays because somebody else changed it since, asks on a terminal",
      "(unless --yes), and undoes one model after the other; one that is refused does not hold back the others.",
      "Without a terminal, breaking steps need --allow-breaking or --yes; otherwise the command ends with 9.",
    ],
    words: { least: 1, most: 100, takes: "a run and models", needs: "the id of a run, as run_begin answered it" },
    flags: {
      "on-conflict": takeText("keep what others changed since (default), or set it back too", {
        values: ["keep", "back"],
      }),
      "allow-breaking": takeSwitch("without a terminal: undo breaking steps too"),
    },
  },
  grant: {
    summary: "grant or revoke a role for all models or some",
    synopsis: ["metaction grant <who> <role> [--models='crm*'] [--revoke]"],
    description: [
      "Grants a role to a user, a service account or any other actor that has called (auth actor_add_role),",
      "effective from the next call: for everything, or for models that match comma-separated patterns.",
      "<who> is a username, an external subject, an e-mail address or an id. With --revoke the same grant",
      "is removed (auth actor_delete_role).",
    ],
    words: {
      least: 2,
      most: 2,
      takes: "one role",
      needs: "who and a role: metaction grant bob reader --models='crm*'",
    },
    completes: [
      ["auth/user_enable", "username"],
      ["auth/actor_add_role", "roleRef"],
    ],
    flags: {
      models: takeText("the models it is for, such as 'crm*'; default everything", { list: true, completes: MODEL }),
      revoke: takeSwitch("revoke the role"),
    },
  },
  open: {
    summary: "open the page of a model, an entity or an attribute in the web application",
    synopsis: ["metaction open [<model> [<entity> [<attribute>]]] [--print]", "metaction open crm/customer.email"],
    description: [
      "Prints the address of the page in the web application, and opens it in a browser on a terminal.",
      "A word is a key, or a path as a search shows it.",
    ],
    words: { most: 3, takes: "a model, an entity and an attribute" },
    completes: [MODEL, ENTITY, ["model/entity_attribute_get", "attributeRef"]],
    flags: {
      print: takeSwitch("only print the address, without opening a browser"),
    },
  },
  plan: {
    summary: "show what applying a file or folder would change",
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
    words: { least: 1, most: 1, takes: "one file or folder", needs: "a file or a folder: metaction plan crm.yaml" },
    forms: ["text", "markdown"],
    flags: APPLY_FLAGS,
  },
  apply: {
    summary: "change models to match a file or folder, after showing the plan",
    synopsis: [
      "metaction apply <file|folder> [--create] [--prune] [--fail-on=…] [--yes|--allow-breaking]",
      "metaction apply crm.yaml --plan=<name of the plan that was reviewed>",
    ],
    description: [
      "Changes a model to match a document. It shows the plan on stderr, asks on a terminal (unless --yes), and",
      "applies exactly that plan: if the model changed meanwhile, it shows the new plan and ends with 6.",
      "Without a terminal, a plan that breaks or deletes needs --allow-breaking or --yes; otherwise nothing is",
      "applied, and the command ends with 9.",
      "With --fail-on, a model whose plan has such a step stays unchanged, and the command ends with 8.",
      "In a folder, each model is applied separately; a refused one does not hold back the others, unless",
      "--fail-fast. The exit code is that of the first refused one, or 8 if --fail-on held one back.",
    ],
    words: { least: 1, most: 1, takes: "one file or folder", needs: "a file or a folder: metaction apply crm.yaml" },
    forms: ["text", "markdown"],
    flags: APPLY_FLAGS,
  },
  pull: {
    summary: "write a model into its file",
    synopsis: ["metaction pull <model> [<file>] [--check]"],
    description: [
      "Writes a model into its file, in the format of the file, and lists the changes. A YAML file keeps",
      "its comments, a file keeps the order of its members and lists, and a file without ids gets none. The",
      "default file is <model>.json, .yaml or .yml, whichever exists.",
    ],
    words: {
      least: 1,
      most: 2,
      takes: "a model and a file",
      needs: "a model, and takes its file: metaction pull crm crm.yaml",
    },
    completes: [MODEL],
    forms: ["text"],
    flags: {
      format: takeText("metaction or frictionless, for a new file; an existing file keeps its format", {
        values: ["metaction", "frictionless"],
      }),
      check: takeSwitch("write nothing, and end with 8 if the file differs from the model"),
    },
  },
  completion: {
    summary: "print the completion script for bash, zsh or fish",
    synopsis: ["metaction completion bash|zsh|fish"],
    description: [
      "Prints a completion script, for the shell's start file:",
      "    bash, zsh: source <(metaction completion bash)",
      "    fish: metaction completion fish | source",
    ],
  },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof TABLE;

/** All commands that are not actions. Parsing, help and completion use this table. */
export const COMMANDS: Readonly<Record<CommandName, Command>> = TABLE;

/** Tests whether a word is the name of a command. */
export function isCommandName(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}
