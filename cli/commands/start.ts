import { runService } from "../../local/run-service.ts";
import { BadSetting } from "../../local/sqlite/data-folder.ts";
import { checkWords } from "../calls/own-flags.ts";
import { COMMANDS } from "../input/commands.ts";
import { readArguments, readOwnVersion } from "../input/flags.ts";
import { createUnknownFlagFailure, createUsageFailure, EXIT, Failure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Runs `metaction start`: runs the service in this process until a signal ends it. */
export async function start(terminal: Terminal, args: readonly string[]): Promise<number> {
  const settings = readStartSettings(args);
  try {
    await runService({
      environment: { ...terminal.environment, ...settings },
      workingFolder: process.cwd(),
      version: readOwnVersion(),
      // A project's own package is on npm's path only; npm sets this variable.
      command: terminal.environment.npm_command === undefined ? "metaction" : "npx metaction",
    });
    return EXIT.done;
  } catch (error) {
    const sentence = nameFlags(error instanceof Error ? error.message : String(error));
    throw new Failure(sentence, error instanceof BadSetting ? EXIT.usage : EXIT.server);
  }
}

function readStartSettings(args: readonly string[]): Readonly<Record<string, string>> {
  const flags = new Map(Object.entries(COMMANDS.start.flags ?? {}));
  const input = readArguments(args, new Map([...flags].map(([name, { form }]) => [name, form])));
  checkWords("start", input.words);
  const settings: Record<string, string> = {};
  for (const { name, value } of input.flags) {
    const variable = flags.get(name)?.variable;
    if (variable === undefined) throw createUnknownFlagFailure("start", name, [...flags.keys(), "help"]);
    if (Object.hasOwn(settings, variable)) throw createUsageFailure(`--${name} was given twice.`);
    if (value === "") throw createUsageFailure(`--${name} needs a value: --${name}=<value>`);
    settings[variable] = String(value);
  }
  return settings;
}

function nameFlags(sentence: string) {
  return Object.entries(COMMANDS.start.flags ?? {}).reduce(
    (text, [name, { variable }]) => text.replaceAll(new RegExp(`\\b${variable}\\b`, "g"), `--${name}`),
    sentence,
  );
}
