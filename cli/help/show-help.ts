import { ApiProblem } from "../../client/create-client.ts";
import { toCommandGroup } from "../../shared/domain/channels.ts";
import { formatActionPage, formatCommandPage, formatGroupPage, formatRootPage } from "../calls/help-pages.ts";
import { type KnownService, knowService } from "../calls/known-service.ts";
import { findAction, loadSettings, toGroupName } from "../calls/run-action.ts";
import { COMMANDS, isCommandName } from "../input/commands.ts";
import { listCommonForms, readArguments, takeCommon } from "../input/flags.ts";
import { isBold, write } from "../output/output.ts";
import { createUnknownFlagFailure, createUsageFailure, EXIT, suggestWord } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { RichText } from "../terminal/text-stream.ts";

/** Prints a help page: overview, group, action or command. */
export async function showHelp(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { words, flags } = readArguments(args, listCommonForms());
  const { common, rest } = takeCommon(flags, () => false);
  const [flag] = rest;
  if (flag) {
    // Also when there are flags but no command.
    throw createUnknownFlagFailure("metaction", flag.name, [...listCommonForms().keys(), "version"], "");
  }
  await write(terminal, await findHelpPage(terminal, args, words), isBold(terminal, common));
  return EXIT.done;
}

async function findHelpPage(
  terminal: Terminal,
  args: readonly string[],
  [group, action]: readonly string[],
): Promise<RichText> {
  const { url } = await loadSettings(terminal, args);
  if (group === undefined) {
    // Without the service, the help of the commands is still available.
    const result = await knowService(terminal, url.value).catch((error: unknown) => {
      if (error instanceof ApiProblem) return undefined;
      throw error;
    });
    return formatRootPage(result?.description, url.value);
  }
  // Group `config` has the name of a command.
  const command = action === undefined && isCommandName(group) ? group : undefined;
  if (command !== undefined && command !== "config") return formatCommandPage(command);
  let service = await knowService(terminal, url.value);
  let page = formatPage(service, group, action);
  if (typeof page === "string" && !service.isCurrent) {
    service = await knowService(terminal, url.value, { current: true });
    page = formatPage(service, group, action);
  }
  if (typeof page === "string") throw createUsageFailure(page);
  return command === undefined ? page : [...formatCommandPage(command), "\n", ...page];
}

function formatPage({ description }: KnownService, group: string, action: string | undefined): RichText | string {
  if (action !== undefined) {
    const result = findAction(description, group, action);
    return typeof result === "string" ? result : formatActionPage(description, result);
  }
  const match = description.groups.find((one) => toGroupName(one.name) === toGroupName(group));
  if (match) return formatGroupPage(description, match.name);
  const names = [...description.groups.map((one) => toCommandGroup(one.name)), ...Object.keys(COMMANDS)];
  return `Unknown group or command ${group}${suggestWord(group, names, "see: metaction help")}`;
}

/** Returns whether the service has a group with that name. */
export async function isGroup(terminal: Terminal, word: string, args: readonly string[]): Promise<boolean> {
  const { url } = await loadSettings(terminal, args);
  const { description } = await knowService(terminal, url.value);
  return description.groups.some(({ name }) => toGroupName(name) === toGroupName(word));
}
