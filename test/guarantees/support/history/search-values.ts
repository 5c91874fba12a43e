import type { Chance } from "../../../support/chance.ts";
import { globalTags } from "../reference/tag-links.ts";
import { PROPERTY_NAMES, someProperties } from "./property-values.ts";
import type { Surroundings } from "./surroundings.ts";

const NEEDLES = [
  "a",
  "A",
  "one",
  "ZWEI",
  "é",
  "e end",
  "two",
  "left",
  "text",
  "the ",
  " ",
  "",
  "🙂",
  "none of it",
  "x\ny",
];

const BROKEN: readonly unknown[] = [
  7,
  [],
  { colour: 1 },
  { operator: "xor" },
  { items: {} },
  { items: [1, {}] },
  { items: [{ type: "colour", condition: "is" }] },
  { items: [{ type: "text", condition: "is", value: "a" }] },
  { items: [{ type: "text", condition: "contains", value: 7 }] },
  { items: [{ type: "text", condition: "contains", value: "a\u0000" }] },
  { items: [{ type: "text", condition: "contains", value: "x".repeat(201) }] },
  { items: [{ type: "tags", condition: "empty", value: [] }] },
  { items: [{ type: "tags", condition: "anyOf" }] },
  { items: [{ type: "constraints", condition: "anyOf", value: ["enum", "minimun", 3] }] },
  { items: [{ type: "constraints", condition: "contains", value: "enum" }] },
  { items: [{ type: "format", condition: "anyOf", value: "email" }] },
  { items: [{ type: "format", condition: "allOf", value: ["email"] }] },
  { items: [{ type: "tags", condition: "anyOf", value: ["key:a", "a", 5] }] },
];

/** Filters of a search over all models, mostly by tags that are there and texts that occur. */
export function modelFilters(s: Surroundings): unknown {
  const { chance } = s;
  if (chance.happens(0.05)) return chance.pick(BROKEN);
  const items = Array.from({ length: chance.pick([0, 1, 1, 1, 2, 2, 3]) }, () => aCondition(s));
  return {
    ...(chance.happens(0.7) && { operator: chance.pick(["and", "or"]) }),
    ...((items.length > 0 || chance.happens(0.5)) && { items }),
  };
}

function aCondition(s: Surroundings) {
  const { chance } = s;
  if (chance.happens(0.5)) return { type: "text", condition: "contains", value: aNeedle(s) };
  if (chance.happens(0.2)) {
    return { type: "format", condition: chance.pick(["anyOf", "noneOf"]), value: some(chance, ["email", "date", "x"]) };
  }
  if (chance.happens(0.2)) return ofProperties(s);
  const condition = chance.pick(["empty", "notEmpty", "anyOf", "allOf", "noneOf"]);
  if (chance.happens(0.3)) {
    if (condition === "empty" || condition === "notEmpty") return { type: "constraints", condition };
    return { type: "constraints", condition, value: some(chance, ["enum", "const", "minimum", "maximum", "default"]) };
  }
  if (condition === "empty" || condition === "notEmpty") return { type: "tags", condition };
  return { type: "tags", condition, value: Array.from({ length: chance.below(3) }, () => aTag(s)) };
}

function ofProperties({ chance }: Surroundings) {
  const condition = chance.pick(["empty", "notEmpty", "anyOf", "allOf", "noneOf", "equals"]);
  if (condition === "equals") return { type: "properties", condition, value: someProperties(chance) };
  if (condition === "empty" || condition === "notEmpty") return { type: "properties", condition };
  return { type: "properties", condition, value: some(chance, PROPERTY_NAMES) };
}

const some = (chance: Chance, all: readonly string[]): readonly string[] => all.filter(() => chance.happens(0.3));

function aNeedle({ chance, state }: Surroundings): string {
  const keys = [...state.models.values()].flatMap(({ key, entities }) => [key, ...entities.map((one) => one.key)]);
  return keys.length > 0 && chance.happens(0.4) ? chance.pick(keys) : chance.pick(NEEDLES);
}

/** A ref to a tag of a group or of any model, in any of the forms that say which; seldom to none. */
function aTag({ chance, state, ids }: Surroundings): string {
  const global = globalTags(state.tags).map(({ id, shown }) => [`id:${id}`, `key:${shown}`, `key:global/${shown}`]);
  const local = [...state.models.values()].flatMap((model) =>
    model.localTags.map(({ id, key }) => [`id:${id}`, `key:model/${model.id}/${key}`]),
  );
  const all = [...global, ...local];
  if (all.length > 0 && chance.happens(0.95)) return chance.pick(chance.pick(all));
  const unknown = ids.length > 0 ? [`id:${chance.pick(ids)}`, `key:model/${chance.pick(ids)}/a`] : [];
  return chance.pick([...unknown, ...unknown, "key:none/a"]);
}

/** The fields that a search asks to be shown of each row; there is not much choice. */
export const searchFields = ({ chance }: { readonly chance: Chance }): unknown =>
  chance.pick<unknown>(chance.happens(0.05) ? [["name"], "location", {}] : [["location"], []]);
