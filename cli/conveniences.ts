import { EXPORT_FLAGS } from "./apply-flags.ts";
import { refOf } from "./bare-ref.ts";
import { usage } from "./failure.ts";
import { commonForms, formsWith, readArguments } from "./flags.ts";
import { leading } from "./leading-words.ts";
import { runAction } from "./run-action.ts";
import type { Terminal } from "./terminal.ts";

/** `metaction import <file-or-url>`: a URL is read by the service, a file is sent as content. */
export function importModel(place: Terminal, given: readonly string[]): Promise<number> {
  const { words, rest } = leading(given, 1, commonForms());
  const [source] = words;
  if (source === undefined) throw usage("import needs a file or URL: metaction import datapackage.json");
  const parameter = /^https?:\/\//i.test(source)
    ? `--from=${source}`
    : `--content=${source === "-" ? "-" : `@${source}`}`;
  return runAction(place, "model", "import", [parameter, ...rest]);
}

/** `metaction export <model> [--version=…]`: the model's document, as JSON also on a terminal; with `--as` or `--out` a file. */
export async function exportModel(place: Terminal, given: readonly string[]): Promise<number> {
  const forms = formsWith(EXPORT_FLAGS);
  const { words, rest } = leading(given, 1, forms);
  const [model] = words;
  if (model === undefined) throw usage("export needs a model: metaction export crm > crm.json");
  const names = readArguments(rest, forms).flags.map(({ name }) => name);
  if (names.includes("as") || names.includes("out")) return (await import("./export-as.ts")).exportAs(place, given);
  const action = names.includes("version") ? "model_export_version" : "model_export";
  const output = names.includes("output") ? [] : ["--output=json"];
  return runAction(place, "model", action, [`--modelRef=${refOf(model)}`, ...output, ...rest], {
    // Named for whoever misspells one; what they mean is decided above.
    flags: ["version", "as", "out"],
  });
}

/** `metaction release <model> <version>`: releases what the model holds. */
export function release(place: Terminal, given: readonly string[]): Promise<number> {
  const { words, rest } = leading(given, 2, commonForms());
  const [model, version] = words;
  if (model === undefined || version === undefined) {
    throw usage("release needs a model and a version: metaction release crm 1.2.0");
  }
  return runAction(place, "model", "model_release", [`--modelRef=${refOf(model)}`, `--version=${version}`, ...rest]);
}
