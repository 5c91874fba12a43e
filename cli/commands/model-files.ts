import type { Actions } from "../../client/actions.ts";
import { nameFlag, type OwnCalls, readCalls } from "../calls/own-calls.ts";
import { runAction } from "../calls/run-action.ts";
import { COMMANDS } from "../input/commands.ts";
import { listCommonForms, listForms, readArguments, splitLeadingWords } from "../input/flags.ts";
import { replaceFile } from "../input/source-text.ts";
import { toRef } from "../input/values.ts";
import { formatWarningLines } from "../output/output.ts";
import { createUsageFailure, EXIT } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Runs `metaction import <file-or-url>`: the service reads a URL; a file is sent as content. */
export function importModel(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { words, rest } = splitLeadingWords(args, 1, listCommonForms());
  const [source] = words;
  if (source === undefined) throw createUsageFailure("import needs a file or URL: metaction import datapackage.json");
  const parameter = /^https?:\/\//i.test(source)
    ? `--from=${source}`
    : `--content=${source === "-" ? "-" : `@${source}`}`;
  return runAction(terminal, "model", "import", [parameter, ...rest]);
}

/** Runs `metaction export <model>`: prints the document as JSON; `--as` or `--out` write a file. */
export async function exportModel(terminal: Terminal, args: readonly string[]): Promise<number> {
  const forms = listForms(COMMANDS.export.flags);
  const { words, rest } = splitLeadingWords(args, 1, forms);
  const [model] = words;
  if (model === undefined) throw createUsageFailure("export needs a model: metaction export crm > crm.json");
  const names = readArguments(rest, forms).flags.map(({ name }) => name);
  if (names.includes("as") || names.includes("out")) return exportAs(terminal, args);
  const action = names.includes("version") ? "model_export_version" : "model_export";
  const output = names.includes("output") ? [] : ["--output=json"];
  return runAction(terminal, "model", action, [`--modelRef=${toRef(model)}`, ...output, ...rest], {
    // Listed for suggestions when one is misspelled; handled above.
    flags: COMMANDS.export.flags ?? {},
  });
}

/** Runs `metaction release <model> <version>`. */
export function release(terminal: Terminal, args: readonly string[]): Promise<number> {
  const { words, rest } = splitLeadingWords(args, 2, listCommonForms());
  const [model = "", version] = words;
  if (version === undefined) {
    throw createUsageFailure("release needs a model and a version: metaction release crm 1.2.0");
  }
  return runAction(terminal, "model", "model_release", [`--modelRef=${toRef(model)}`, `--version=${version}`, ...rest]);
}

type Export = Actions["model"]["model_export_as"]["output"];

/** Runs `metaction export --as`: prints the file as it is, and on stderr what it leaves out. */
async function exportAs(terminal: Terminal, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, "export", args);
  const [model = "", ...more] = calls.words;
  if (more.length > 0) throw createUsageFailure(`export takes one model; unexpected argument ${more[0]}`);
  const { output, query } = calls.common;
  if (output !== undefined || query !== undefined) {
    throw createUsageFailure(
      `export --as writes a file as it is; for ${output === undefined ? "--query" : "--output"} run models model_export_as`,
    );
  }
  const content = await exportContent(terminal, calls, toRef(model));
  const out = calls.text("out");
  if (content === undefined) return EXIT.done;
  if (out === undefined || out === "-") await terminal.stdout.writeVerbatim(content);
  else {
    await replaceFile(out, content);
    if (!calls.common.quiet) terminal.stderr.writeLine(`Wrote ${out}.`);
  }
  return EXIT.done;
}

async function exportContent(terminal: Terminal, calls: OwnCalls, modelRef: string): Promise<string | undefined> {
  const [format, version, revision] = [calls.text("as"), calls.text("version"), calls.text("revision")];
  if (revision !== undefined && !/^[1-9]\d*$/.test(revision))
    throw createUsageFailure(`--revision=${revision}: expected a whole number`);
  const point = {
    ...(version !== undefined && { version }),
    ...(revision !== undefined && { revision: Number(revision) }),
  };
  const isOwn = format === undefined || format === "metaction";
  if (isOwn) {
    const answer = await calls.call("model_export", { modelRef, ...point });
    return answer && `${JSON.stringify(answer.body, undefined, 2)}\n`;
  }
  const answer = await calls.call("model_export_as", { modelRef, format, ...point }).catch((error: unknown) => {
    throw nameFlag(error, "format", "as");
  });
  if (!answer) return undefined;
  // The declared answer of the action.
  const { content, warnings } = answer.body as Export;
  if (!calls.common.quiet) for (const line of formatWarningLines(warnings)) terminal.stderr.writeLine(line);
  return content;
}
