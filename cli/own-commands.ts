import type { COMMANDS } from "./help-pages.ts";
import type { Styled } from "./text-stream.ts";

interface Page {
  readonly synopsis: readonly string[];
  readonly description: readonly string[];
}

/** The help of the commands that are no actions. */
const PAGES: Readonly<Record<keyof typeof COMMANDS, Page>> = {
  help: {
    synopsis: ["metaction help [<group> [<action>]]"],
    description: ["Shows help, also without the service once it was asked."],
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
  },
  logout: {
    synopsis: ["metaction logout [--profile=…]"],
    description: ["Forgets the tokens of a profile; its URL stays."],
  },
  whoami: { synopsis: ["metaction whoami"], description: ["Runs auth whoami."] },
  config: {
    synopsis: ["metaction config"],
    description: ["Shows the settings in effect and where each comes from. The actions of the group config follow."],
  },
  import: {
    synopsis: [
      "metaction import <file-or-url> [--modelKey=…] [--modelName=…]",
      "metaction import - < datapackage.json",
    ],
    description: ["Runs model import: a URL is read by the service, a local file is sent as content."],
  },
  export: {
    synopsis: ["metaction export <model> [--version=…] > file"],
    description: ["Runs model model_export, or model_export_version. A bare word is the model's key."],
  },
  diff: {
    synopsis: ["metaction diff <a> <b> [--output=text|markdown|json|…] [--fail-on=breaking|additive|cosmetic]"],
    description: [
      "Runs model model_compare. Each side is a model, model@version, or a file in any format that import reads",
      "(@file if its name has no extension). Text on a terminal, JSON when piped, Markdown for pull requests. With --fail-on it ends with",
      "exit code 8 when there is a difference of that impact or of a greater one.",
    ],
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

/** The page of a command. */
export function commandPage(name: string): Styled {
  // Asked for by whoever found the name among the commands.
  const { synopsis, description } = PAGES[name as keyof typeof PAGES];
  const lines = (texts: readonly string[]): string => texts.map((text) => `    ${text}\n`).join("");
  return [{ bold: "SYNOPSIS" }, `\n${lines(synopsis)}\n`, { bold: "DESCRIPTION" }, `\n${lines(description)}`];
}
