import { type Addressed, addressedBy } from "./addressed.ts";
import { openBrowser } from "./browser.ts";
import { EXIT, usage } from "./failure.ts";
import { write } from "./output.ts";
import { ownCalls } from "./own-calls.ts";
import type { Terminal } from "./terminal.ts";
import { OPEN_FLAGS } from "./verb-flags.ts";

/** `metaction open <model> [entity [attribute]]`: the address of its page, which a browser opens where somebody sits at a terminal. */
export async function openPage(place: Terminal, given: readonly string[]): Promise<number> {
  const calls = await ownCalls(place, "open", OPEN_FLAGS, given);
  if (calls.words.length > 3)
    throw usage(`open takes a model, an entity and an attribute; ${calls.words[3]} is one more`);
  const path = calls.words.length === 0 ? "/models" : pageOf(await addressedBy(calls, calls.words));
  const address = `${calls.settings.url.value}${path}`;
  await write(place, `${address}\n`);
  if (place.stdout.isTTY && !calls.on("print")) openBrowser(address);
  return EXIT.done;
}

/** The path of the page of an object in the web application. */
export function pageOf({ modelRef, entityRef, attributeRef }: Addressed): string {
  const steps = [
    ["models", modelRef],
    ["entities", entityRef],
    ["attributes", attributeRef],
  ] as const;
  return steps.flatMap(([step, ref]) => (ref === undefined ? [] : [`/${step}/${inPath(ref)}`])).join("");
}

/** A ref as a step of a path; its colon and what else a path may hold stay readable. */
function inPath(ref: string): string {
  return encodeURIComponent(ref).replace(/%(3A|40|2C|2B|3D|26|24|3B)/g, (code) => decodeURIComponent(code));
}
