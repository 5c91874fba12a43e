import { BadSetting } from "../../local/data-folder.ts";
import { runService } from "../../local/run-service.ts";
import { ownVersion, readArguments, START_FLAGS } from "../input/flags.ts";
import { EXIT, Failure, unknownFlag, usage } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `metaction start`: runs the service in this process until a signal ends it. */
export async function start(place: Terminal, given: readonly string[]): Promise<number> {
  const settings = readStartSettings(given);
  try {
    await runService({
      environment: { ...place.environment, ...settings },
      workingFolder: process.cwd(),
      version: ownVersion(),
      // A package of a project is on the path of npm alone, which tells so.
      command: place.environment.npm_command === undefined ? "metaction" : "npx metaction",
    });
    return EXIT.done;
  } catch (error) {
    const sentence = inFlags(error instanceof Error ? error.message : String(error));
    throw new Failure(sentence, error instanceof BadSetting ? EXIT.usage : EXIT.server);
  }
}

/** The flags as the variables whose places they take. */
function readStartSettings(given: readonly string[]): Readonly<Record<string, string>> {
  const flags = new Map(Object.entries(START_FLAGS));
  const forms = new Map([...flags].map(([name, { form }]) => [name, form]));
  const read = readArguments(given, forms);
  const [word] = read.words;
  if (word !== undefined) throw usage(`start takes no ${word}; see: metaction help start`);
  const settings: Record<string, string> = {};
  for (const { name, value } of read.flags) {
    const variable = flags.get(name)?.variable;
    if (variable === undefined) throw unknownFlag("start", name, [...flags.keys(), "help"]);
    if (Object.hasOwn(settings, variable)) throw usage(`--${name} is given twice`);
    if (value === "") throw usage(`--${name} needs a value: --${name}=<value>`);
    settings[variable] = String(value);
  }
  return settings;
}

/** A sentence of the service's about its settings, in the words of the command line. */
function inFlags(sentence: string): string {
  return Object.entries(START_FLAGS).reduce(
    (text, [name, { variable }]) => text.replaceAll(new RegExp(`\\b${variable}\\b`, "g"), `--${name}`),
    sentence,
  );
}
