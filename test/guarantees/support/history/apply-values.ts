import type { Chance } from "../../../support/chance.ts";
import { someProperties } from "./property-values.ts";
import type { Surroundings } from "./surroundings.ts";

type Values = Record<string, unknown>;

const KEYS = ["a", "b", "c", "d", "left", "right", "text", "number", "first"];

/** A document of texts, types, entities and local tags, out of the keys and ids that models of the histories have. */
export function aDocument({ chance, model, prefix }: Surroundings): Values {
  const maybe = (member: string, probability: number, make: () => unknown): Values =>
    chance.happens(probability) ? { [member]: chance.happens(0.2) ? null : make() } : {};
  const texts = (): Values => ({
    ...maybe("name", 0.4, () => chance.pick(["Applied", "Again"])),
    ...maybe("description", 0.3, () => "Said by a *document*."),
    ...maybe("properties", 0.2, () => someProperties(chance)),
  });
  const list = (there: readonly { readonly id: string; readonly key: string }[], member: string): Values => {
    if (!chance.happens(0.5)) return {};
    const known = there.filter(() => chance.happens(0.8)).map(({ id, key }) => ({ key, ...some(chance, { id }) }));
    const others = KEYS.filter((key) => chance.happens(0.15) && !known.some((one) => one.key === key));
    const renamed = others.map((key) => ({ key, ...some(chance, { renamedFrom: chance.pick(KEYS) }) }));
    return { [member]: [...known, ...renamed].map((one) => ({ ...one, ...texts() })) };
  };
  return {
    $schema: "urn:metaction:model:2",
    key: `${prefix}a`,
    ...texts(),
    ...list(model?.types ?? [], "types"),
    ...list(model?.entities ?? [], "entities"),
    ...list(model?.localTags ?? [], "localTags"),
  };
}

const some = (chance: Chance, members: Values): Values => (chance.happens(0.3) ? members : {});

/** Mostly gives `model_apply` one model and one source, and a document that the reference can apply. */
export function applyTogether(values: Values, at: Surroundings): void {
  const { chance } = at;
  const has = (name: string): boolean => values[name] !== undefined && values[name] !== null && values[name] !== "";
  if (has("content") && typeof values.content === "object" && !Array.isArray(values.content)) {
    values.content = aDocument(at);
  }
  if (chance.happens(0.05)) return;
  if (has("modelRef")) for (const name of ["modelKey", "create"]) Reflect.deleteProperty(values, name);
  else if (has("modelKey")) values.create = true;
  if (has("content")) Reflect.deleteProperty(values, "from");
  for (const name of ["plan", "format"]) if (chance.happens(0.9)) Reflect.deleteProperty(values, name);
}
