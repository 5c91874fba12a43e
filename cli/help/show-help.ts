import { ApiProblem } from "../../client/create-client.ts";
import { toCommandGroup } from "../../shared/domain/channels.ts";
import { COMMANDS, formatActionPage, formatGroupPage, formatRootPage } from "../calls/help-pages.ts";
import { knowService } from "../calls/known-service.ts";
import { findAction, loadSettings, toGroupName } from "../calls/run-action.ts";
import { listCommonForms, readArguments, takeCommon } from "../input/flags.ts";
import { isBold, write } from "../output/output.ts";
import { createUnknownFlagFailure, createUsageFailure, EXIT, suggestWord } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Styled } from "../terminal/text-stream.ts";
import { formatCommandPage } from "./own-commands.ts";

/** Prints a help page: overview, group, action or command. */
export async function showHelp(terminal: Terminal, given: readonly string[]): Promise<number> {
  const { words, flags } = readArguments(given, listCommonForms());
  const { common, rest } = takeCommon(flags, () => false);
  const [stranger] = rest;
  if (stranger) {
    // Also when there are flags but no command.
    throw createUnknownFlagFailure("metaction", stranger.name, [...listCommonForms().keys(), "version"], "");
  }
  await write(terminal, await findHelpPage(terminal, given, words), isBold(terminal, common));
  return EXIT.done;
}

async function findHelpPage(
  terminal: Terminal,
  given: readonly string[],
  [group, action]: readonly string[],
): Promise<Styled> {
  const { url } = await loadSettings(terminal, given);
  if (group === undefined) {
    // Without the service, the help of the commands is still available.
    const known = await knowService(terminal, url.value).catch((error: unknown) => {
      if (error instanceof ApiProblem) return undefined;
      throw error;
    });
    return formatRootPage(known?.description, url.value);
  }
  // Group `config` has the name of a command.
  const isCommand = action === undefined && Object.hasOwn(COMMANDS, group);
  if (isCommand && group !== "config") return formatCommandPage(group);
  let known = await knowService(terminal, url.value);
  for (;;) {
    const { description, isCurrent } = known;
    const page = action === undefined ? ofGroup(group) : ofAction(group, action);
    if (!("fault" in page)) return isCommand ? [...formatCommandPage(group), "\n", ...page.text] : page.text;
    if (isCurrent) throw createUsageFailure(page.fault);
    known = await knowService(terminal, url.value, { current: true });
    // An older copy is all there is while the service is unreachable.
    if (!known.isCurrent) throw createUsageFailure(page.fault);

    function ofGroup(name: string): { text: Styled } | { fault: string } {
      const found = description.groups.find((one) => toGroupName(one.name) === toGroupName(name));
      if (found) return { text: formatGroupPage(description, found.name) };
      const names = [...description.groups.map((one) => toCommandGroup(one.name)), ...Object.keys(COMMANDS)];
      return { fault: `Unknown group or command ${name}${suggestWord(name, names, "see: metaction help")}` };
    }

    function ofAction(groupWord: string, name: string): { text: Styled } | { fault: string } {
      const found = findAction(description, groupWord, name);
      return typeof found === "string" ? { fault: found } : { text: formatActionPage(description, found) };
    }
  }
}

/** Returns whether the service has a group with that name. */
export async function isGroup(terminal: Terminal, word: string, given: readonly string[]): Promise<boolean> {
  const { url } = await loadSettings(terminal, given);
  const { description } = await knowService(terminal, url.value);
  return description.groups.some(({ name }) => toGroupName(name) === toGroupName(word));
}
