import { may, need, type RefAction, type RefInput } from "./action.ts";
import { jsonOf } from "./constraints.ts";
import { comesWithService, definitionsIn } from "./definitions.ts";
import { PAGING, page } from "./lists.ts";
import type { RefDefinition } from "./objects.ts";
import { Refusal } from "./problem.ts";
import { ordered } from "./properties.ts";
import { described, getBy, readBy, TEXTS, writeBy } from "./texts.ts";
import { drop, fieldsSet, made, removed, requireFree, written } from "./writes.ts";

const onDefinition = { definitionRef: need("PropertyDefinitionRef") };
const manage = "property_manage";

const row = (one: RefDefinition) => ({ ...one, comesWithService: comesWithService(one.key) });
const schemaIn = (value: unknown) => (value === undefined ? undefined : (ordered(value) as RefDefinition["schema"]));

const keyTaken = (key: string) => new Refusal("key_taken", { mentions: [key] });

/** An action that sets a field; a definition of the service is stored with what is changed. */
const update = (value: RefAction["params"][string], fieldsOf: (input: RefInput) => Partial<RefDefinition>): RefAction =>
  writeBy(manage, { ...onDefinition, value }, ({ state: { tags }, definition, input }) => {
    if (tags.definitions.includes(definition))
      return fieldsSet(tags, "property_definition", definition, fieldsOf(input));
    const changed = { ...definition, ...fieldsOf(input) };
    if (jsonOf(changed) === jsonOf(definition)) return written(tags, definition, [], () => undefined);
    return made(tags, "property_definition", changed, () => tags.definitions.push(changed));
  });

export const DEFINITION_ACTIONS: Readonly<Record<string, RefAction>> = {
  "property/definition_create": {
    ...writeBy(
      manage,
      {
        key: need("PropertyName"),
        ...TEXTS,
        kinds: may("List<PropertyHolderKind>"),
        schema: may("PropertySchema"),
        impact: may("PropertyImpact"),
      },
      ({ state: { tags }, input, newId }) => {
        const { kinds, impact = "cosmetic" } = input;
        const own = { id: newId(), key: String(input.key), ...described(input), schema: schemaIn(input.schema) };
        const definition = { ...own, kinds: kinds as readonly string[] | undefined, impact: String(impact) };
        if (comesWithService(definition.key)) throw keyTaken(definition.key);
        requireFree(tags.definitions, definition.key);
        return made(tags, "property_definition", definition, () => tags.definitions.push(definition));
      },
    ),
    ledger: "tags",
  },
  "property/definition_get": getBy("signed_in", onDefinition, ({ definition }) => row(definition)),
  "property/definition_list": {
    ...readBy("signed_in", PAGING, (asked) =>
      page(asked, definitionsIn(asked.state.tags), (rows) => ({ items: rows.map(row) })),
    ),
    ledger: "tags",
  },
  "property/definition_update_key": writeBy(
    manage,
    { ...onDefinition, value: need("PropertyName") },
    ({ state: { tags }, definition, input }) => {
      const key = String(input.value);
      if (key !== definition.key && comesWithService(definition.key))
        throw new Refusal("still_used", { mentions: [definition.key] });
      if (key !== definition.key && comesWithService(key)) throw keyTaken(key);
      requireFree(tags.definitions, key, definition);
      return fieldsSet(tags, "property_definition", definition, { key });
    },
  ),
  "property/definition_update_name": update(may("TextSingleLine"), ({ value }) => ({ name: value as string })),
  "property/definition_update_description": update(may("TextMarkdown"), ({ value }) => ({
    description: value as string,
  })),
  "property/definition_update_kinds": update(may("List<PropertyHolderKind>"), ({ value }) => ({
    kinds: value as readonly string[],
  })),
  "property/definition_update_schema": update(may("PropertySchema"), ({ value }) => ({ schema: schemaIn(value) })),
  "property/definition_update_impact": update(need("PropertyImpact"), ({ value }) => ({ impact: String(value) })),
  "property/definition_delete": writeBy(manage, onDefinition, ({ state: { tags }, definition }) => {
    if (!tags.definitions.includes(definition)) return written(tags, definition, [], () => undefined);
    return removed(tags, "property_definition", definition, () => drop(tags.definitions, definition));
  }),
};
