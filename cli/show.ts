import { addressedBy } from "./addressed.ts";
import { EXIT, usage } from "./failure.ts";
import { formatOf, isBold, print, queried, write } from "./output.ts";
import { ownCalls } from "./own-calls.ts";
import { pageText } from "./page-text.ts";
import { entityPage, modelPage } from "./shown-pages.ts";
import type { Terminal } from "./terminal.ts";

/** `metaction show <model> [entity]`: a page about it for people, and the same as JSON for programs. */
export async function show(place: Terminal, given: readonly string[]): Promise<number> {
  const calls = await ownCalls(place, "show", {}, given);
  const { common, settings, words } = calls;
  if (words.length === 0) throw usage("show needs a model, and takes an entity: metaction show crm customer");
  if (words.length > 2) throw usage(`show takes a model and an entity; ${words[2]} is one more`);
  if (common.curl) throw usage("show calls several actions; for --curl run one, such as: metaction models model_get");
  const { modelRef, entityRef } = await addressedBy(calls, words);
  const page =
    entityRef === undefined ? await modelPage(calls, modelRef) : await entityPage(calls, modelRef, entityRef);
  const isText = settings.output === undefined ? place.stdout.isTTY : settings.output.value === "text";
  if (isText && common.query === undefined)
    await write(place, pageText(page, place.stdout.columns), isBold(place, common));
  else await print(await queried(page, common), formatOf(isText ? undefined : settings.output, place), common, place);
  return EXIT.done;
}
