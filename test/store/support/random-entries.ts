import { type Action, explainBatchExclusion } from "../../../shared/actions/contract/action.ts";
import { getAllParams } from "../../../shared/actions/contract/action-parameters.ts";
import { ACTIONS } from "../../support/actions.ts";
import type { Chance } from "../../support/chance.ts";

/** One call of a plan. Keys that all models share begin with SIDE; `id:$<action> <key>` is the id that action made. */
export interface PlannedEntry {
  readonly group: string;
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Stands for whoever runs a plan, so that two can run the same one on one table. */
export const SIDE = "SIDE";

/** Answers of these differ however alike the models are: they tell of groups or definitions of others, or of revisions. */
const UNALIKE = /^(definition|tag_group)_list$|^into$|release|revision|history|commit|compare|restore|search|changes/;

const CHOICE: readonly Action[] = ACTIONS.filter((action) => {
  const not = explainBatchExclusion(action);
  return !UNALIKE.test(action.name) && (!not || not.parameters !== undefined);
}).flatMap((action) => (action.name.endsWith("_create") ? [action, action, action] : [action]));

const MADE_BY: Readonly<Record<string, string>> = {
  ModelRef: "model_create",
  TypeRef: "type_create",
  EntityRef: "entity_create",
  EntityAttributeRef: "entity_attribute_create",
  RelationshipRef: "relationship_create",
  RelationshipAttributeRef: "relationship_attribute_create",
  BusinessKeyRef: "business_key_create",
  LocalTagRef: "tag_local_create",
  TagGroupRef: "tag_group_create",
};

const LEFT_OUT = /^(Cursor|Location|ModelVersion|ModelRevision|ObjectId|OnConflict|SourceFormat|SourceLabel)$/;

/** A plan of so many entries over few keys, so that they meet each other. */
export function randomEntries(chance: Chance, count: number): readonly PlannedEntry[] {
  return Array.from({ length: count }, () => randomEntry(chance));
}

function randomEntry(chance: Chance): PlannedEntry {
  // Whatever deletes much is rare, or nothing would ever be there.
  const action = chance.pick(CHOICE);
  if (/^(model|tag_group)_delete$/.test(action.name) && chance.happens(0.7)) return randomEntry(chance);
  const payload: Record<string, unknown> = {};
  for (const [name, { type, required }] of Object.entries(getAllParams(action))) {
    if (!required && (LEFT_OUT.test(type.id) || UNALIKE.test(name) || chance.happens(0.5))) continue;
    payload[name] = randomValue(type.id, action, chance);
  }
  return { group: action.group, action: action.name, payload };
}

function randomValue(type: string, action: Action, chance: Chance): unknown {
  const one = (...keys: readonly string[]) => chance.pick(keys);
  if (type.startsWith("List<")) {
    const item = type.slice("List<".length, -1);
    return Array.from({ length: chance.below(3) }, () => randomValue(item, action, chance));
  }
  if (type.startsWith("Pair<")) {
    const item = type.slice("Pair<".length, -1);
    return [randomValue(item, action, chance), randomValue(item, action, chance)];
  }
  if (type in MADE_BY && chance.happens(0.3)) return `id:$${MADE_BY[type]} ${keyFor(type, chance)}`;
  if (type === "TagRef") return randomValue(chance.pick(["LocalTagRef", "GlobalTagRef"]), action, chance);
  if (type === "GlobalTagRef") return `key:${keyFor("TagGroupRef", chance)}/${one("g", "l")}`;
  if (type.endsWith("Ref")) return `key:${keyFor(type, chance)}`;
  if (type === "TagKey") return one("g", "l");
  if (type.endsWith("Key")) return keyFor(type.replace(/Key$/, "Ref"), chance);
  const plain: Readonly<Record<string, () => unknown>> = {
    Boolean: () => chance.happens(0.5),
    ExportFormat: () => "frictionless",
    DifferenceFormat: () => "markdown",
    Expansion: () => "keys",
    AttributeSort: () => one("declared", "key"),
    PropertyName: () =>
      action.group === "property" ? keyFor("PropertyDefinitionRef", chance) : one("owner", "dbt:meta"),
    PropertySchema: () => ({ type: "string" }),
    PropertyHolderKind: () => one("entity", "model"),
    PropertyImpact: () => one("cosmetic", "breaking"),
    PropertyValue: () => chance.pick([null, "", 1, { a: [true] }]),
    TextSingleLine: () => one("One name", "Another name", "$$1.id"),
    TextMarkdown: () => one("Some text.", "Other text."),
    Link: () => one("https://example.com/a", "https://example.com/b"),
    ModelAuthority: () => one("system", "canonical"),
    ModelVersion: () => one("0.0.1", "1.0.0"),
    RelationshipCardinality: () => one("one", "many"),
    Constraints: () => chance.pick([{ enum: ["a", "b"] }, { maxLength: 8, pattern: "$$1.id" }]),
    PageLimit: () => 1 + chance.below(3),
    SourceContent: () => ({
      name: keyFor("ModelRef", chance),
      fields: [{ name: "a", type: one("string", "integer") }],
    }),
  };
  const make = plain[type];
  if (!make) throw new Error(`the plan knows no value of type ${type} for ${action.name}`);
  return make();
}

function keyFor(refType: string, chance: Chance): string {
  const number = chance.below(2);
  const keys: Readonly<Record<string, string>> = {
    ModelRef: `${SIDE}m${number}`,
    TypeRef: `t${number}`,
    EntityRef: `e${number}`,
    EntityAttributeRef: `a${number}`,
    AttributeRef: `a${number}`,
    RelationshipRef: `r${number}`,
    RelationshipAttributeRef: `a${number}`,
    RelationshipRoleRef: `o${chance.below(3)}`,
    BusinessKeyRef: `b${number}`,
    BusinessKeyKeyRef: `b${number}`,
    LocalTagRef: "l",
    TagGroupRef: `${SIDE}g${number}`,
    // A definition holds for the calls after it, so that one of a name in use would tell a batch from its entries.
    PropertyDefinitionRef: `${SIDE}d${number}`,
  };
  const key = keys[refType];
  if (key === undefined) throw new Error(`the plan knows no keys for ${refType}`);
  return key;
}
