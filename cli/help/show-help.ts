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

/** Prints a help page: of everything, a group, an action or a command. */
export async function showHelp(place: Terminal, given: readonly string[]): Promise<number> {
  const { words, flags } = readArguments(given, commonForms());
  const { common, rest } = takeCommon(flags, () => false);
  const [stranger] = rest;
  if (stranger) {
    // Also where no command stands beside the flags.
    throw unknownFlag("metaction", stranger.name, [...commonForms().keys(), "version"], "");
  }
  await write(place, await findHelpPage(place, given, words), isBold(place, common));
  return EXIT.done;
}

async function findHelpPage(place: Terminal, given: readonly string[], [group, action]: readonly string[]): Promise<Styled> {
  const { url } = await loadSettings(place, given);
  if (group === undefined) {
    // Without the service there is still something to say.
    const known = await knowService(place, url.value).catch((error: unknown) => {
      if (error instanceof ApiProblem) return undefined;
      throw error;
    });
    return rootPage(known?.description, url.value);
  }
  // The group `config` bears the name of a command.
  const isCommand = action === undefined && Object.hasOwn(COMMANDS, group);
  if (isCommand && group !== "config") return commandPage(group);
  let known = await knowService(place, url.value);
  for (;;) {
    const { description, isCurrent } = known;
    const page = action === undefined ? ofGroup(group) : ofAction(group, action);
    if (!("fault" in page)) return isCommand ? [...commandPage(group), "\n", ...page.text] : page.text;
    if (isCurrent) throw usage(page.fault);
    known = await knowService(place, url.value, { current: true });
    // An older copy is all there is while the service cannot be reached.
    if (!known.isCurrent) throw usage(page.fault);

    function ofGroup(name: string): { text: Styled } | { fault: string } {
      const found = description.groups.find((one) => groupName(one.name) === groupName(name));
      if (found) return { text: groupPage(description, found.name) };
      const names = [...description.groups.map((one) => toCommandGroup(one.name)), ...Object.keys(COMMANDS)];
      return { fault: `there is no ${name}${meant(name, names, "see: metaction help")}` };
    }

    function ofAction(groupWord: string, name: string): { text: Styled } | { fault: string } {
      const found = findAction(description, groupWord, name);
      return typeof found === "string" ? { fault: found } : { text: actionPage(description, found) };
    }
  }
}

/** Whether the service has a group of that name. */
export async function isGroup(place: Terminal, word: string, given: readonly string[]): Promise<boolean> {
  const { url } = await loadSettings(place, given);
  const { description } = await knowService(place, url.value);
  return description.groups.some(({ name }) => groupName(name) === groupName(word));
}
