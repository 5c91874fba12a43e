import { named } from "../reference/state.ts";
import { aDocument } from "./apply-values.ts";
import type { Surroundings } from "./surroundings.ts";

type Values = Record<string, unknown>;

/** Mostly gives `import` parameters that go together: into a model, with a document that the reference can merge, or not. */
export function mergeTogether(values: Values, at: Surroundings): void {
  const { chance, state } = at;
  const leaveOut = (...names: readonly string[]): void => {
    for (const name of names) Reflect.deleteProperty(values, name);
  };
  const has = (name: string): boolean => values[name] !== undefined && values[name] !== null && values[name] !== "";
  const isObject = typeof values.content === "object" && values.content !== null && !Array.isArray(values.content);
  const models = [...state.models.values()];
  const followed = models.filter(({ sources }) => sources !== undefined);
  if (isObject && followed.length > 0 && chance.happens(0.4)) values.into = `id:${chance.pick(followed).id}`;
  if (isObject && isOwn(values.content as Values) && !has("source") && chance.happens(0.5)) {
    values.source = chance.pick(LABELS);
  }
  if (has("into") && isObject) {
    // A model that follows a source already is where both sides can have changed something.
    if (followed.length > 0 && chance.happens(0.7)) values.into = `id:${chance.pick(followed).id}`;
    values.content = aDocument({ ...at, model: named(models, String(values.into)) });
  } else if (isObject && has("source")) values.content = ofOneVersion(values.content as Values);
  if (chance.happens(0.05)) leaveOut("source");
  else if (has("into")) {
    leaveOut("modelKey", "modelName", "from", "format");
    if (!has("source")) values.source = chance.pick(LABELS);
    if (chance.happens(0.6)) values.onConflict = chance.pick(["ours", "theirs"]);
  } else leaveOut("onConflict");
  if (has("content")) leaveOut("from");
  if (has("source")) leaveOut("modelName");
  // Where tables come from is a matter of the reader of tables.
  if (isObject && !isOwn(values.content as Values)) leaveOut("source");
}

export const LABELS = ["shop", "urn:example:hand"];

const isOwn = ({ $schema }: Values): boolean => $schema === "urn:metaction:model:2";

/** A document whose every member the reader keeps, and that links to no tags of groups. */
function ofOneVersion(content: Values): Values {
  if (!isOwn(content)) return content;
  const { tagGroups: _, ...document } = content;
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare);
    if (typeof value !== "object" || value === null) return value;
    const made = Object.entries(value).map(([member, one]) =>
      member === "tags" && Array.isArray(one)
        ? [member, one.filter((ref) => !String(ref).includes("/"))]
        : [member, member === "properties" ? one : bare(one)],
    );
    return Object.fromEntries(made);
  };
  return bare(document) as Values;
}
