import type { SentCall, SentControls } from "../../guarantees/support/reference/answer.ts";
import type { Chance } from "../../support/chance.ts";

/** The facts about a model that clients know from the answers they got. */
export interface Site {
  readonly id: string;
  /** Keys it may have. */
  readonly keys: readonly string[];
  /** The newest revision that was told. */
  revision: number;
  /** Ids by kind; some of them are gone. */
  readonly ids: Map<Kind, string[]>;
}

/** The models, tags and jobs that the calls of a schedule are about. */
export interface Scene {
  readonly sites: readonly Site[];
  /** The group of global tags, and what is known of them. */
  readonly group: string;
  readonly globalTags: string[];
  readonly jobs: string[];
}

export type Kind = "type" | "entity" | "attribute" | "relationship" | "business_key" | "tag" | "role";

const KEYS = ["a", "b", "c"];
const TEXTS = ["One", "Two", "Three"];
/** Longer than a log entry of the simulation holds. */
const LONG = "long text ".repeat(90);

interface At {
  readonly chance: Chance;
  readonly scene: Scene;
  readonly site: Site;
}

const key = ({ chance }: At): string => chance.pick(KEYS);

function ref({ chance, site }: At, kind: Kind): string {
  const ids = site.ids.get(kind) ?? [];
  return ids.length > 0 && chance.happens(0.4) ? `id:${chance.pick(ids)}` : `key:${chance.pick(KEYS)}`;
}

function modelRef({ chance, site }: At): string {
  return chance.happens(0.75) ? `id:${site.id}` : `key:${chance.pick(site.keys)}`;
}

function tagRef(at: At): string {
  const { chance, scene } = at;
  if (chance.happens(0.6)) return ref(at, "tag");
  return scene.globalTags.length > 0 && chance.happens(0.5)
    ? `id:${chance.pick(scene.globalTags)}`
    : `key:${scene.group}/${chance.pick(KEYS)}`;
}

type Make = (at: At) => object;
type Row = readonly [weight: number, action: string, make: Make];

const text = ({ chance }: At) => ({ value: chance.pick(TEXTS) });
const inEntity: Make = (at) => ({ entityRef: ref(at, "entity") });
const inRelationship: Make = (at) => ({ relationshipRef: ref(at, "relationship") });
const ofAttribute: Make = (at) => ({ ...inEntity(at), attributeRef: ref(at, "attribute") });
const newAttribute: Make = (at) => ({ attributeKey: key(at), type: ref(at, "type"), optional: at.chance.happens(0.5) });

/** Writes to what is in one model; all of them may stand in a batch. */
const WRITES: readonly Row[] = [
  [3, "model_update_name", (at) => ({ name: at.chance.pick(TEXTS) })],
  [2, "model_update_key", ({ chance, site }) => ({ value: chance.pick(site.keys) })],
  [2, "model_update_description", ({ chance }) => ({ value: chance.happens(0.5) ? LONG : chance.pick(TEXTS) })],
  [2, "model_add_tag", (at) => ({ tagRef: tagRef(at) })],
  [1, "model_delete_tag", (at) => ({ tagRef: tagRef(at) })],
  [6, "type_create", (at) => ({ typeKey: key(at) })],
  [3, "type_update_key", (at) => ({ typeRef: ref(at, "type"), value: key(at) })],
  [2, "type_update_name", (at) => ({ typeRef: ref(at, "type"), ...text(at) })],
  [4, "type_delete", (at) => ({ typeRef: ref(at, "type") })],
  [6, "entity_create", (at) => ({ entityKey: key(at) })],
  [3, "entity_update_key", (at) => ({ entityRef: ref(at, "entity"), value: key(at) })],
  [2, "entity_update_description", (at) => ({ entityRef: ref(at, "entity"), ...text(at) })],
  [4, "entity_delete", inEntity],
  [1, "entity_primary_key_update", (at) => ({ ...inEntity(at), primaryKey: [ref(at, "attribute")] })],
  [2, "entity_add_tag", (at) => ({ ...inEntity(at), tagRef: tagRef(at) })],
  [1, "entity_delete_tag", (at) => ({ ...inEntity(at), tagRef: tagRef(at) })],
  [7, "entity_attribute_create", (at) => ({ ...inEntity(at), ...newAttribute(at) })],
  [3, "entity_attribute_update_key", (at) => ({ ...ofAttribute(at), value: key(at) })],
  [2, "entity_attribute_update_name", (at) => ({ ...ofAttribute(at), ...text(at) })],
  [3, "entity_attribute_delete", ofAttribute],
  [2, "entity_attribute_add_tag", (at) => ({ ...ofAttribute(at), tagRef: tagRef(at) })],
  [
    3,
    "relationship_create",
    (at) => ({
      ...{ relationshipKey: key(at), roleAKey: "a", roleAEntityRef: ref(at, "entity"), roleACardinality: "one" },
      ...{ roleBKey: "b", roleBEntityRef: ref(at, "entity"), roleBCardinality: "many" },
    }),
  ],
  [1, "relationship_update_key", (at) => ({ ...inRelationship(at), value: key(at) })],
  [2, "relationship_delete", inRelationship],
  [2, "relationship_attribute_create", (at) => ({ ...inRelationship(at), ...newAttribute(at) })],
  [
    1,
    "relationship_role_create",
    (at) => ({ ...inRelationship(at), roleKey: key(at), roleEntityRef: ref(at, "entity"), roleCardinality: "one" }),
  ],
  [3, "business_key_create", (at) => ({ key: key(at), ...inEntity(at), participants: [ref(at, "attribute")] })],
  [1, "business_key_update_key", (at) => ({ businessKeyRef: ref(at, "business_key"), value: key(at) })],
  [2, "business_key_delete", (at) => ({ businessKeyRef: ref(at, "business_key") })],
  [4, "tag/tag_local_create", (at) => ({ key: key(at) })],
  [1, "tag/tag_local_update_key", (at) => ({ tagRef: ref(at, "tag"), value: key(at) })],
  [2, "tag/tag_local_delete", (at) => ({ tagRef: ref(at, "tag") })],
];

const READS: readonly Row[] = [
  [3, "model_get", () => ({})],
  [7, "model_export", () => ({})],
  [3, "type_list", (at) => (at.chance.happens(0.2) ? { limit: 2 } : {})],
  [2, "type_get", (at) => ({ typeRef: ref(at, "type") })],
  [3, "entity_list", () => ({})],
  [2, "entity_get", inEntity],
  [2, "entity_attribute_list", inEntity],
  [2, "relationship_list", () => ({})],
  [2, "business_key_list", () => ({})],
  [2, "tag/tag_local_get", (at) => ({ tagRef: ref(at, "tag") })],
];

/** Writes to the tags of all models. */
const OF_TAGS: readonly Row[] = [
  [4, "tag/tag_global_create", (at) => ({ groupRef: `key:${at.scene.group}`, key: key(at) })],
  [2, "tag/tag_global_update_key", (at) => ({ tagRef: globalRef(at), value: key(at) })],
  [3, "tag/tag_global_delete", (at) => ({ tagRef: globalRef(at) })],
];

function globalRef({ chance, scene }: At): string {
  return scene.globalTags.length > 0 && chance.happens(0.4)
    ? `id:${chance.pick(scene.globalTags)}`
    : `key:${scene.group}/${chance.pick(KEYS)}`;
}

/** A random call, in the words of the reference. */
export function aCall(chance: Chance, scene: Scene, newKey: () => string): SentCall {
  const site = chance.happens(0.8) ? (scene.sites[0] as Site) : chance.pick(scene.sites);
  const at: At = { chance, scene, site };
  const [kind] = chance.weighted<readonly [string, number]>(KINDS.map((one) => [one, one[1]]));
  if (kind === "read") return read(at, chance.weighted(READS.map((row) => [row, row[0]] as const)));
  if (kind === "list") return asked("model/model_list", {}, {});
  if (kind === "tags") {
    const [, action, make] = chance.weighted(OF_TAGS.map((row) => [row, row[0]] as const));
    return asked(action, make(at), keyed(chance, newKey));
  }
  if (kind === "batch") return asked("batch/batch_run", { actions: entries(at) }, writeControls(at, newKey));
  if (kind === "import") return asked("model/import", anImport(at), keyed(chance, newKey));
  if (kind === "restore") {
    const revision = Math.max(1, site.revision - chance.below(8));
    return asked("model/model_restore", { modelRef: modelRef(at), revision }, writeControls(at, newKey));
  }
  if (kind === "copy") {
    return asked(
      "model/model_copy",
      { modelRef: modelRef(at), modelNewKey: `copy ${newKey()}` },
      keyed(chance, newKey),
    );
  }
  if (kind === "release") {
    return asked(
      "model/model_release",
      { modelRef: modelRef(at), value: `${1 + chance.below(30)}.0.0` },
      writeControls(at, newKey),
    );
  }
  const { action, payload } = entry(at, site);
  return asked(action, payload, writeControls(at, newKey));
}

const KINDS: readonly (readonly [string, number])[] = [
  ["write", 56],
  ["read", 25],
  ["list", 1.5],
  ["tags", 4],
  ["batch", 6],
  ["import", 2],
  ["restore", 3],
  ["copy", 1],
  ["release", 1.5],
];

function read(at: At, [, action, make]: Row): SentCall {
  const { chance, site } = at;
  const known = chance.happens(0.06) ? { ifNoneMatch: [`${site.id}-${site.revision}`] } : {};
  return asked(path(action), { modelRef: modelRef(at), ...make(at) }, known);
}

const path = (action: string): string => (action.includes("/") ? action : `model/${action}`);

function entry(at: At, site: Site): { readonly action: string; readonly payload: object } {
  const [, action, make] = at.chance.weighted(WRITES.map((row) => [row, row[0]] as const));
  return { action: path(action), payload: { modelRef: modelRef({ ...at, site }), ...make({ ...at, site }) } };
}

/** Few entries of one or two models; now and then so many of one that a generation is published. */
function entries(at: At): readonly object[] {
  const { chance, scene, site } = at;
  if (chance.happens(0.25)) {
    const made = { group: "model", action: "entity_create", payload: { modelRef: modelRef(at), entityKey: "many" } };
    const attributes = Array.from({ length: 12 }, (_, n) => ({
      group: "model",
      action: "entity_attribute_create",
      payload: {
        modelRef: `id:${site.id}`,
        entityRef: "key:many",
        attributeKey: `n${n}`,
        type: ref(at, "type"),
        optional: true,
      },
    }));
    return [made, ...attributes];
  }
  const other = chance.happens(0.3) ? chance.pick(scene.sites) : site;
  return Array.from({ length: 1 + chance.below(3) }, (_, n) => {
    const { action, payload } = entry(at, n === 0 ? other : site);
    const [group, name] = action.split("/");
    return { group, action: name, payload };
  });
}

/** A small table, or one so large that it becomes a job. */
function anImport({ chance }: At): object {
  const fields = Array.from({ length: chance.happens(0.5) ? 2 : 34 }, (_, n) => ({ name: `f${n}`, type: "string" }));
  return { content: { fields }, modelKey: `import ${chance.pick(KEYS)}` };
}

function writeControls(at: At, newKey: () => string): SentControls {
  const { chance, site } = at;
  if (chance.happens(0.05)) return { dryRun: true };
  const revision = site.revision - (chance.happens(0.3) ? 1 : 0);
  const pinned = chance.happens(0.12) ? { ifMatch: [{ ledgerId: site.id, revision }] } : {};
  return { ...pinned, ...keyed(chance, newKey) };
}

function keyed(chance: Chance, newKey: () => string): SentControls {
  return chance.happens(0.45) ? { idempotencyKey: newKey() } : {};
}

function asked(action: string, body: object, controls: SentControls): SentCall {
  return { action, caller: "admin", payload: { query: [], body }, controls };
}
