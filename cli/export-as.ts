import type { Actions } from "../client/actions.ts";
import { EXPORT_FLAGS } from "./apply-flags.ts";
import { refOf } from "./bare-ref.ts";
import { EXIT, usage } from "./failure.ts";
import { linesOf } from "./file-warnings.ts";
import { inFlag, type OwnCalls, ownCalls } from "./own-calls.ts";
import { replaceFile } from "./replace-file.ts";
import type { Terminal } from "./terminal.ts";

type Exported = Actions["model"]["model_export_as"]["output"];

/** `metaction export <model> --as <format> [--out <file>]`: the text of the file as it is, and on stderr what is not in it. */
export async function exportAs(place: Terminal, given: readonly string[]): Promise<number> {
  const calls = await ownCalls(place, "export", EXPORT_FLAGS, given);
  const [model, ...more] = calls.words;
  if (model === undefined) throw usage("export needs a model: metaction export crm --as dbml");
  if (more.length > 0) throw usage(`export takes one model; ${more[0]} is one more`);
  const { output, query } = calls.common;
  if (output !== undefined || query !== undefined) {
    throw usage(
      `export --as writes a file as it is; for ${output === undefined ? "--query" : "--output"} run models model_export_as`,
    );
  }
  const content = await contentOf(place, calls, refOf(model));
  const out = calls.text("out");
  if (content === undefined) return EXIT.done;
  if (out === undefined || out === "-") await place.stdout.writeVerbatim(content);
  else {
    await replaceFile(out, content);
    if (!calls.common.quiet) place.stderr.writeLine(`${out} is written.`);
  }
  return EXIT.done;
}

/** The text of the file; undefined where `--curl` showed the call. */
async function contentOf(place: Terminal, calls: OwnCalls, modelRef: string): Promise<string | undefined> {
  const [format, version, revision] = [calls.text("as"), calls.text("version"), calls.text("revision")];
  if (revision !== undefined && !/^[1-9]\d*$/.test(revision))
    throw usage(`--revision=${revision}: write a whole number`);
  const moment = {
    ...(version !== undefined && { version }),
    ...(revision !== undefined && { revision: Number(revision) }),
  };
  const isOwn = format === undefined || format === "metaction";
  if (isOwn) {
    const answer = await calls.call("model_export", { modelRef, ...moment });
    return answer && `${JSON.stringify(answer.body, undefined, 2)}\n`;
  }
  const answer = await calls.call("model_export_as", { modelRef, format, ...moment }).catch((error: unknown) => {
    throw inFlag(error, "format", "as");
  });
  if (!answer) return undefined;
  // The action's declared answer.
  const { content, warnings } = answer.body as Exported;
  if (!calls.common.quiet) for (const line of linesOf(warnings)) place.stderr.writeLine(line);
  return content;
}
