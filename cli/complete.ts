import { createClient } from "../client/create-client.ts";
import { SHELLS } from "./completion-scripts.ts";
import { readConfiguration } from "./configuration.ts";
import type { ActionDescription, Description, ParameterDescription } from "./description.ts";
import { EXIT } from "./failure.ts";
import { COMMON_FLAGS, commonForms, readArguments } from "./flags.ts";
import { takeCommon } from "./general-flags.ts";
import { COMMANDS, shownGroup } from "./help-pages.ts";
import { knowService } from "./known-service.ts";
import { write } from "./output.ts";
import { parameterForms, payloadOf, spellings } from "./payload.ts";
import type { Place } from "./place.ts";
import { findAction } from "./run-action.ts";
import { type Settings, settle } from "./settings.ts";
import { listIn } from "./table.ts";

/** What a completion may take, in milliseconds. */
const PATIENCE = 3_000;

/** `metaction complete -- "<line up to the cursor>"`: what the last word may become, one a line. For completion scripts. */
export async function complete(place: Place, given: readonly string[]): Promise<number> {
  const line = given.filter((word) => word !== "--").join(" ");
  const [, ...words] = line.trimStart().split(/\s+/);
  const last = words.at(-1) ?? "";
  const candidates = await candidatesFor(place, words.slice(0, -1), last);
  const fitting = candidates.filter((candidate) => candidate.startsWith(last));
  await write(place, fitting.map((candidate) => `${candidate}\n`).join(""));
  return EXIT.done;
}

async function candidatesFor(place: Place, before: readonly string[], last: string): Promise<readonly string[]> {
  const { common } = takeCommon(readArguments(before, commonForms()).flags, () => false);
  const settings = settle(common, place, await readConfiguration(place));
  const { description } = await knowService(place, settings.url.value);
  const groups = description.groups.map(({ name }) => shownGroup(name));
  const [first, second] = before.filter((word) => !word.startsWith("-"));
  if (first === undefined) return [...groups, ...Object.keys(COMMANDS)];
  if (first === "completion") return Object.keys(SHELLS);
  const isHelp = first === "help";
  const [group, name] = isHelp ? [second, before[2]] : [first, second];
  if (group === undefined) return [...groups, ...Object.keys(COMMANDS)];
  if (name === undefined) return actionsOf(description, group);
  const action = findAction(description, group, name);
  if (isHelp || typeof action === "string") return [];
  return ofFlags(place, settings, description, action, before, last);
}

function actionsOf(description: Description, group: string): readonly string[] {
  const singular = group.replace(/s$/, "");
  return description.actions.filter((action) => action.group === singular).map(({ name }) => name);
}

async function ofFlags(
  place: Place,
  settings: Settings,
  description: Description,
  action: ActionDescription,
  before: readonly string[],
  last: string,
): Promise<readonly string[]> {
  const known = spellings(action);
  const [, named, written] = /^(--([^=]+)=)/.exec(last) ?? [];
  const parameter = known.get(written ?? "");
  if (named !== undefined && parameter) {
    const values = await valuesOf(place, settings, description, action, parameter, before);
    return values.map((value) => `${named}${value}`);
  }
  // The value of a flag may be the next word.
  const previous = before.at(-1) ?? "";
  const awaited = previous.startsWith("--") ? known.get(previous.slice(2)) : undefined;
  if (awaited && awaited.json !== "boolean") {
    return valuesOf(place, settings, description, action, awaited, before.slice(0, -1));
  }
  const given = new Set(before.map((word) => known.get(/^--(?:no-)?([^=]+)/.exec(word)?.[1] ?? "")));
  const own = action.parameters
    .filter((one) => !given.has(one))
    .map(({ name, json }) => `--${name}${json === "boolean" ? "" : "="}`);
  const commonFlags = Object.entries(COMMON_FLAGS).map(([name, { form }]) => `--${name}${form === "text" ? "=" : ""}`);
  return [...own, ...commonFlags];
}

/** The values a parameter may have: those of its description, or refs of objects that the service lists. */
async function valuesOf(
  place: Place,
  settings: Settings,
  description: Description,
  action: ActionDescription,
  { type, values, json }: ParameterDescription,
  before: readonly string[],
): Promise<readonly string[]> {
  if (values.length > 0) return values;
  if (json === "boolean") return ["true", "false"];
  // The objects of `EntityAttributeRef` are listed by `entity_attribute_list`, by the naming of all actions.
  const sort = /^(?:List<)?(\w+)Ref>?$/.exec(type)?.[1];
  if (sort === undefined) return [];
  const listName = `${sort.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}_list`;
  const list = description.actions.find(({ name }) => name === listName);
  if (!list) return [];
  const { flags } = readArguments(before, new Map([...commonForms(), ...parameterForms(action)]));
  const payload = await payloadOf(list, flags, {}, place);
  if (list.parameters.some(({ name, required }) => required && !Object.hasOwn(payload, name))) return [];
  const api = createClient({ url: settings.url.value, token: settings.token?.value, retries: 0, timeout: PATIENCE });
  // The name comes from the description, so the types of the actions do not know it.
  const group = api[list.group as keyof typeof api] as Readonly<Record<string, (payload: object) => Promise<unknown>>>;
  const rows = listIn(await group[list.name]?.(payload)) ?? [];
  return rows.flatMap((row) =>
    typeof row === "object" && row !== null && "key" in row && !/\s/.test(String(row.key)) ? [`key:${row.key}`] : [],
  );
}
