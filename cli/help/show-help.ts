import { ApiProblem } from "../../client/create-client.ts";
import { toCommandGroup } from "../../shared/domain/channels.ts";
import { actionPage, COMMANDS, groupPage, rootPage } from "../calls/help-pages.ts";
import { knowService } from "../calls/known-service.ts";
import { findAction, groupName, loadSettings } from "../calls/run-action.ts";
import { commonForms, readArguments, takeCommon } from "../input/flags.ts";
import { isBold, write } from "../output/output.ts";
import { EXIT, meant, unknownFlag, usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Styled } from "../terminal/text-stream.ts";
import { commandPage } from "./own-commands.ts";

/** Prints a help page: overview, group, action or command. */
export async function showHelp(terminal: Terminal, given: readonly string[]): Promise<number> {
  const { words, flags } = readArguments(given, commonForms());
  const { common, rest } = takeCommon(flags, () => false);
  const [stranger] = rest;
  if (stranger) {
    // Also when there are flags but no command.
    throw unknownFlag("metaction", stranger.name, [...commonForms().keys(), "version"], "");
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
    return rootPage(known?.description, url.value);
  }
  // Group `config` has the name of a command.
  const isCommand = action === undefined && Object.hasOwn(COMMANDS, group);
  if (isCommand && group !== "config") return commandPage(group);
  let known = await knowService(terminal, url.value);
  for (;;) {
    const { description, isCurrent } = known;
    const page = action === undefined ? ofGroup(group) : ofAction(group, action);
    if (!("fault" in page)) return isCommand ? [...commandPage(group), "\n", ...page.text] : page.text;
    if (isCurrent) throw usage(page.fault);
    known = await knowService(terminal, url.value, { current: true });
    // An older copy is all there is while the service is unreachable.
    if (!known.isCurrent) throw usage(page.fault);

    function ofGroup(name: string): { text: Styled } | { fault: string } {
      const found = description.groups.find((one) => groupName(one.name) === groupName(name));
      if (found) return { text: groupPage(description, found.name) };
      const names = [...description.groups.map((one) => toCommandGroup(one.name)), ...Object.keys(COMMANDS)];
      return { fault: `Unknown group or command ${name}${meant(name, names, "see: metaction help")}` };
    }

    function ofAction(groupWord: string, name: string): { text: Styled } | { fault: string } {
      const found = findAction(description, groupWord, name);
      return typeof found === "string" ? { fault: found } : { text: actionPage(description, found) };
    }
  }
}

/** Returns whether the service has a group with that name. */
export async function isGroup(terminal: Terminal, word: string, given: readonly string[]): Promise<boolean> {
  const { url } = await loadSettings(terminal, given);
  const { description } = await knowService(terminal, url.value);
  return description.groups.some(({ name }) => groupName(name) === groupName(word));
}
