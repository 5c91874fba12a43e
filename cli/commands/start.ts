import { runService } from "../../local/run-service.ts";
import { BadSetting } from "../../local/sqlite/data-folder.ts";
import { readArguments, readOwnVersion, START_FLAGS } from "../input/flags.ts";
import { createUnknownFlagFailure, createUsageFailure, EXIT, Failure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Runs `metaction start`: runs the service in this process until a signal ends it. */
export async function start(terminal: Terminal, given: readonly string[]): Promise<number> {
  const settings = readStartSettings(given);
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

/** Converts the flags to the environment variables they override. */
function readStartSettings(given: readonly string[]): Readonly<Record<string, string>> {
  const flags = new Map(Object.entries(START_FLAGS));
  const forms = new Map([...flags].map(([name, { form }]) => [name, form]));
  const read = readArguments(given, forms);
  const [word] = read.words;
  if (word !== undefined) throw createUsageFailure(`start takes no argument ${word}; see: metaction help start`);
  const settings: Record<string, string> = {};
  for (const { name, value } of read.flags) {
    const variable = flags.get(name)?.variable;
    if (variable === undefined) throw createUnknownFlagFailure("start", name, [...flags.keys(), "help"]);
    if (Object.hasOwn(settings, variable)) throw createUsageFailure(`--${name} was given twice.`);
    if (value === "") throw createUsageFailure(`--${name} needs a value: --${name}=<value>`);
    settings[variable] = String(value);
  }
  return settings;
}

/** Rewrites a message of the service about its settings to name flags. */
function nameFlags(sentence: string): string {
  return Object.entries(START_FLAGS).reduce(
    (text, [name, { variable }]) => text.replaceAll(new RegExp(`\\b${variable}\\b`, "g"), `--${name}`),
    sentence,
  );
}
