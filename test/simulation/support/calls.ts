import type { SentCall, SentControls } from "../../guarantees/support/reference/answer.ts";
import type { Chance } from "../../support/chance.ts";
import type { CallMix } from "./call-mix.ts";

/** The facts about a model that clients know from the answers they got. */
export interface Site {
  readonly id: string;
  readonly keys: readonly string[];
  /** The newest revision that was told. */
  revision: number;
  readonly ids: Map<Kind, string[]>;
  /** Requests that made commits. */
  readonly requests: string[];
}

/** The models, tags and jobs that the calls of a schedule are about. */
export interface Scene {
  readonly sites: readonly Site[];
  /** The group of global tags, and what is known of them. */
  readonly group: string;
  readonly globalTags: string[];
  /** Ids of runs. */
  readonly runs: readonly string[];
  readonly jobs: string[];
}

export type Kind = "type" | "entity" | "attribute" | "relationship" | "business_key" | "tag" | "role";

const TEXTS = ["One", "Two", "Three"];
const LONG = "long text ".repeat(90);

interface At {
  readonly chance: Chance;
  readonly habits: CallMix;
  readonly scene: Scene;
  readonly site: Site;
  /** A key that no other call gives. */
  readonly newKey: () => string;
}

const key = ({ chance, habits }: At) => chance.pick(habits.keys);

function ref({ chance, site, habits }: At, kind: Kind): string {
  const ids = site.ids.get(kind) ?? [];
  return ids.length > 0 && chance.happens(0.4) ? `id:${chance.pick(ids)}` : `key:${chance.pick(habits.keys)}`;
}

function modelRef({ chance, site }: At): string {
  return chance.happens(0.75) ? `id:${site.id}` : `key:${chance.pick(site.keys)}`;
}

const tagRef = (at: At) => (at.chance.happens(0.6) ? ref(at, "tag") : globalRef(at));

type Make = (at: At) => object;
type Row = readonly [weight: number, action: string, make: Make];

const text = ({ chance, habits, newKey }: At) => ({ value: habits.ownTexts ? newKey() : chance.pick(TEXTS) });
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
  [1, "entity_primary_key_update", (at) => ({ ...inEntity(at), attributeRef: [ref(at, "attribute")] })],
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

const OF_TAGS: readonly Row[] = [
  [4, "tag/tag_global_create", (at) => ({ groupRef: `key:${at.scene.group}`, key: key(at) })],
  [2, "tag/tag_global_update_key", (at) => ({ tagRef: globalRef(at), value: key(at) })],
  [3, "tag/tag_global_delete", (at) => ({ tagRef: globalRef(at) })],
];

function globalRef({ chance, scene, habits }: At): string {
  return scene.globalTags.length > 0 && chance.happens(0.4)
    ? `id:${chance.pick(scene.globalTags)}`
    : `key:${scene.group}/${chance.pick(habits.keys)}`;
}

/** A random call of clients with these habits, in the words of the reference; of a write rather one of a run. */
export function aCall(chance: Chance, habits: CallMix, scene: Scene, newKey: () => string): SentCall {
  const call = aCallOfNoRun(chance, habits, scene, newKey);
  const { inRuns } = habits;
  if (inRuns === undefined || call.action === "model/model_list" || IS_READ.has(call.action)) return call;
  return chance.happens(inRuns) ? { ...call, controls: { ...call.controls, run: chance.pick(scene.runs) } } : call;
}

function aCallOfNoRun(chance: Chance, habits: CallMix, scene: Scene, newKey: () => string): SentCall {
  const site = chance.happens(0.8) ? (scene.sites[0] as Site) : chance.pick(scene.sites);
  const at: At = { chance, habits, scene, site, newKey };
  const keyed = () => (chance.happens(habits.keyed) ? { idempotencyKey: newKey() } : {});
  switch (chance.weighted(Object.entries(habits.sorts))) {
    case "read":
      return read(at);
    case "list":
      return asked("model/model_list", {}, {});
    case "tags": {
      const [, action, make] = drawn(at, OF_TAGS);
      return asked(action, make(at), keyed());
    }
    case "batch":
      return asked("batch/batch_run", { actions: entries(at) }, writeControls(at, keyed));
    case "import":
      return asked("model/import", anImport(at), keyed());
    case "restore": {
      const revision = Math.max(1, site.revision - chance.below(8));
      return asked("model/model_restore", { modelRef: modelRef(at), revision }, writeControls(at, keyed));
    }
    case "undo":
      return asked("model/model_undo", anUndo(at), writeControls(at, keyed));
    case "copy":
      return asked("model/model_copy", { modelRef: modelRef(at), modelNewKey: `copy ${newKey()}` }, keyed());
    case "release": {
      const value = `${1 + chance.below(30)}.0.0`;
      return asked("model/model_release", { modelRef: modelRef(at), value }, writeControls(at, keyed));
    }
    case "delete": {
      const byId = { modelRef: `id:${site.id}` };
      if (chance.happens(0.4)) return asked("model/model_delete", byId, writeControls(at, keyed));
      const key = chance.happens(0.3) && { key: chance.pick(site.keys) };
      return asked("model/model_undelete", { ...byId, ...key }, writeControls(at, keyed));
    }
    default: {
      const { action, payload } = entry(at, site);
      return asked(action, payload, writeControls(at, keyed));
    }
  }
}

/** Some late commits of the site, or those of a run, to take back. */
function anUndo(at: At): object {
  const { chance, site, scene } = at;
  const revisions = Array.from({ length: 1 + chance.below(3) }, () => Math.max(2, site.revision - chance.below(8)));
  const selection = chance.weighted<object>([
    [{ revisions }, 5],
    [{ runRef: `id:${chance.pick(scene.runs)}` }, 3],
    [site.requests.length > 0 ? { request: chance.pick(site.requests) } : { revisions }, 2],
  ]);
  const select = chance.happens(0.1) && { select: { objects: [...site.ids.values()].flat().slice(-3) } };
  return { modelRef: modelRef(at), ...selection, ...select, ...(chance.happens(0.3) && { onConflict: "back" }) };
}

function drawn({ chance, habits: { about } }: At, rows: readonly Row[]): Row {
  const own = rows.filter(([, action]) => !about || about.test(action));
  return chance.weighted((own.length > 0 ? own : rows).map((row) => [row, row[0]] as const));
}

function read(at: At): SentCall {
  const { chance, site } = at;
  const [, action, make] = drawn(at, READS);
  const known = chance.happens(0.06) ? { ifNoneMatch: [`${site.id}-${site.revision}`] } : {};
  return asked(path(action), { modelRef: modelRef(at), ...make(at) }, known);
}

const path = (action: string) => (action.includes("/") ? action : `model/${action}`);
const IS_READ: ReadonlySet<string> = new Set(READS.map(([, action]) => path(action)));

function entry(at: At, site: Site): { readonly action: string; readonly payload: object } {
  const [, action, make] = drawn(at, WRITES);
  return { action: path(action), payload: { modelRef: modelRef({ ...at, site }), ...make({ ...at, site }) } };
}

/** Few entries of one or two models; now and then so many of one that a generation is published. */
function entries(at: At): readonly object[] {
  const { chance, scene, site, habits } = at;
  if (chance.happens(habits.large)) {
    const made = { group: "model", action: "entity_create", payload: { modelRef: modelRef(at), entityKey: "many" } };
    const type = ref(at, "type");
    // From the 25th on they are answered by what was read at once for all of them.
    const attributes = Array.from({ length: chance.pick([12, 28]) }, (_, n) => ({
      group: "model",
      action: "entity_attribute_create",
      payload: { modelRef: `id:${site.id}`, entityRef: "key:many", attributeKey: `n${n}`, type, optional: true },
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

function anImport({ chance, habits, newKey }: At): object {
  const count = chance.happens(Math.max(0.5, habits.large)) ? 48 : 16;
  const attributes = Array.from({ length: count }, (_, n) => ({ key: `f${n}`, type: "key:string" }));
  const content = {
    ...{ $schema: "urn:metaction:model:2", key: "imported", types: [{ key: "string" }] },
    entities: [{ key: "table", attributes }],
  };
  return { content, modelKey: `import ${chance.happens(0.5) ? newKey() : chance.pick(habits.keys)}` };
}

function writeControls({ chance, site, habits }: At, keyed: () => SentControls): SentControls {
  if (chance.happens(0.05)) return { dryRun: true };
  const revision = site.revision - (chance.happens(0.3) ? 1 : 0);
  const pinned = chance.happens(habits.pinned) ? { ifMatch: [{ ledgerId: site.id, revision }] } : {};
  return { ...pinned, ...keyed() };
}

function asked(action: string, body: object, controls: SentControls): SentCall {
  return { action, caller: "admin", payload: { query: [], body }, controls };
}
