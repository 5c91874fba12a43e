import type { SentCall } from "../../guarantees/support/reference/answer.ts";
import type { CallMix } from "../../simulation/support/call-mix.ts";
import { aCall, type Scene, type Site } from "../../simulation/support/calls.ts";
import { learn } from "../../simulation/support/schedule.ts";
import type { Chance } from "../../support/chance.ts";
import { headersOf } from "../../support/http-call.ts";
import { other, RELEASES, type Release, type Reply } from "./two-releases.ts";

/** A call as a client sends it, to either release. */
export interface MixedCall {
  readonly release: Release;
  readonly sent: SentCall;
  readonly headers: Readonly<Record<string, string>>;
}

/** The facts that clients know for their next calls. */
export interface Known {
  readonly scene: Scene & { readonly sites: Site[] };
  readonly usernames: readonly string[];
  /** Ids of actors, roles and definitions, by the action that made them. */
  readonly ids: Map<string, string[]>;
  /** Run of the clients. */
  run: string;
  /** Models that are deleted. */
  readonly deleted: Set<string>;
}

export const createKnown = (usernames: readonly string[]): Known => ({
  scene: { sites: [], group: "g", globalTags: [], jobs: [], runs: [] },
  usernames,
  ids: new Map(),
  run: "",
  deleted: new Set(),
});

/** Takes in the facts that an answer gives. */
export function takeIn(known: Known, { sent }: MixedCall, { body, headers }: Reply): void {
  const { scene, ids, deleted } = known;
  const etag = headers.etag?.replaceAll('"', "");
  const answer = { mediaType: "application/json", body, ...(etag !== undefined && { etag }) };
  learn(scene, { request: headers["x-request-id"] ?? "", call: sent, outcome: { answer } });
  if (/^(auth|property).*_create$/.test(sent.action))
    ids.set(sent.action, [...(ids.get(sent.action) ?? []), body.actorId ?? body.id]);
  if (sent.action === "model/model_delete" && !body.dryRun) deleted.add(body.id);
  if (sent.action === "model/model_undelete" && !body.dryRun) deleted.delete(body.id);
}

/** A call of the administrator without control headers. */
export const toCall = (release: Release, action: string, body: object): MixedCall => ({
  release,
  sent: { action, caller: "admin", payload: { query: [], body }, controls: {} },
  headers: {},
});

const HABITS: CallMix = {
  sorts: { write: 58, read: 14, list: 2, tags: 8, batch: 9, import: 2, restore: 3, copy: 1, release: 3, delete: 6 },
  keys: ["a", "b", "c"],
  large: 0.1,
  keyed: 0.4,
  pinned: 0.1,
  ownTexts: true,
};

/** Actions that the earlier release does not have. */
const PRESENT_ONLY = new Set(["model/model_undelete", "model/model_undo"]);
/** Share of the writes of the present release that are part of the run. */
const IN_RUN = 0.25;

export const isRead = ({ action }: SentCall): boolean => /_(get|list|export)$/.test(action);

export function drawCall(chance: Chance, known: Known, newKey: () => string): MixedCall {
  const drawn = drawSent(chance, known, newKey);
  const release = PRESENT_ONLY.has(drawn.action) ? "present" : chance.pick(RELEASES);
  const sent = release === "earlier" ? avoidDeleted(drawn, known) : drawn;
  const run = release === "present" && !isRead(sent) && !sent.controls.dryRun && chance.happens(IN_RUN);
  return { release, sent, headers: { ...headersOf(sent.controls), ...(run && { run: `id:${known.run}` }) } };
}

/**
 * A process of the earlier release that is asked by id for the past of a deleted model keeps it, and then takes it for a
 * live one under its key. Returns an export by key, which never finds a deleted model.
 */
function avoidDeleted(sent: SentCall, { scene }: Known): SentCall {
  const { modelRef } = sent.payload.body as { readonly modelRef?: string };
  const site = scene.sites.find(({ id }) => modelRef === `id:${id}`);
  if (!site || sent.action !== "model/model_export") return sent;
  return { ...sent, payload: { query: [], body: { modelRef: `key:${site.keys[0]}` } } };
}

/** The same call, sent to the other release. */
export const repeat = ({ release, sent, headers: { run: _, ...headers } }: MixedCall): MixedCall => ({
  release: other(release),
  sent,
  headers,
});

function drawSent(chance: Chance, known: Known, newKey: () => string): SentCall {
  const at: At = { chance, known, site: chance.pick(known.scene.sites), newKey };
  const [gone] = known.deleted;
  if (gone !== undefined && chance.happens(0.3)) return asked(at, "model/model_undelete", { modelRef: `id:${gone}` });
  const make = chance.weighted(KINDS.map(([weight, make]) => [make, weight] as const));
  return make(at);
}

interface At {
  readonly chance: Chance;
  readonly known: Known;
  readonly site: Site;
  readonly newKey: () => string;
}

const asked = ({ chance, newKey }: At, action: string, body: object, keyed = 0.3): SentCall => ({
  action,
  caller: "admin",
  payload: { query: [], body },
  controls: chance.happens(keyed) ? { idempotencyKey: newKey() } : {},
});

const idOf = ({ chance, known }: At, maker: string): string => chance.pick(known.ids.get(maker) ?? [UNKNOWN]);
const UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057";

type Make = (at: At) => SentCall;

const document = ({ chance, site, newKey }: At) => ({
  ...{ $schema: "urn:metaction:model:2", key: site.keys[0], types: [{ key: "t" }] },
  entities: Array.from({ length: 1 + chance.below(3) }, (_, n) => ({
    key: `table ${n}`,
    attributes: [{ key: "x", type: "key:t", description: newKey() }],
  })),
});

const toLetters = (text: string) => text.replace(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));

const ACCOUNTS: readonly (readonly [action: string, payload: (at: At) => object])[] = [
  ["role_create", ({ newKey }) => ({ key: `role ${newKey()}`, name: newKey() })],
  ["role_update_name", (at) => ({ roleRef: `id:${idOf(at, "auth/role_create")}`, value: at.newKey() })],
  [
    "role_add_permission",
    (at) => ({
      roleRef: `id:${idOf(at, "auth/role_create")}`,
      permissionKey: at.chance.pick(["model_read", "model_write", "tag_local_manage", "model_release"]),
    }),
  ],
  ["role_delete", (at) => ({ roleRef: `id:${idOf(at, "auth/role_create")}` })],
  [
    "actor_add_role",
    (at) => ({ actorId: idOf(at, "auth/user_create"), roleRef: `id:${idOf(at, "auth/role_create")}` }),
  ],
  ["actor_delete_role", (at) => ({ actorId: idOf(at, "auth/user_create"), roleRef: "key:reader" })],
  [
    "user_change_fullname",
    (at) => ({ username: at.chance.pick(at.known.usernames), fullname: toLetters(at.newKey()) }),
  ],
  ["user_disable", (at) => ({ username: at.known.usernames.at(-1) })],
  ["user_enable", (at) => ({ username: at.known.usernames.at(-1) })],
  ["service_account_create", ({ newKey }) => ({ key: `service-${newKey()}`, name: newKey() })],
  [
    "service_account_update",
    (at) => ({ serviceAccountRef: `id:${idOf(at, "auth/service_account_create")}`, name: at.newKey() }),
  ],
  ["service_account_disable", (at) => ({ serviceAccountRef: `id:${idOf(at, "auth/service_account_create")}` })],
];

const PROPERTY = "steward";
const PROPERTIES: readonly (readonly [action: string, payload: (at: At) => object])[] = [
  ["property/definition_create", ({ newKey }) => ({ key: `p-${newKey()}` })],
  [
    "property/definition_update_name",
    (at) => ({ definitionRef: `id:${idOf(at, "property/definition_create")}`, value: at.newKey() }),
  ],
  ["property/definition_delete", (at) => ({ definitionRef: `id:${idOf(at, "property/definition_create")}` })],
  ["model/model_update_property", ({ newKey }) => ({ property: PROPERTY, value: newKey() })],
  ["model/entity_update_property", ({ newKey }) => ({ entityRef: "key:a", property: PROPERTY, value: newKey() })],
  ["model/entity_delete_property", () => ({ entityRef: "key:a", property: PROPERTY })],
];

const KINDS: readonly (readonly [weight: number, make: Make])[] = [
  [62, ({ chance, known, newKey }) => aCall(chance, HABITS, known.scene, newKey)],
  [3, (at) => asked(at, "model/model_apply", { modelRef: `id:${at.site.id}`, content: document(at) })],
  [
    2,
    (at) =>
      asked(at, "model/import", {
        into: `id:${at.site.id}`,
        source: "crm.json",
        content: document(at),
        onConflict: "theirs",
      }),
  ],
  [
    2,
    (at) => {
      const value = at.chance.pick(["system", "canonical"]);
      return asked(at, "model/model_update_authority", { modelRef: `id:${at.site.id}`, value });
    },
  ],
  [
    1,
    // More items than one transaction takes.
    (at) => {
      const entry = (n: number) => ({
        ...{ group: "model", action: "entity_create" },
        payload: { modelRef: `id:${at.site.id}`, entityKey: `${at.newKey()} ${n}` },
      });
      return asked(at, "batch/batch_run", { actions: Array.from({ length: 55 }, (_, n) => entry(n)) });
    },
  ],
  [
    10,
    (at) => {
      const [action, payload] = at.chance.pick(ACCOUNTS);
      return asked(at, `auth/${action}`, payload(at));
    },
  ],
  [
    6,
    (at) => {
      const [action, payload] = at.chance.pick(PROPERTIES);
      const inModel = action.startsWith("model/") && { modelRef: `id:${at.site.id}` };
      return asked(at, action, { ...inModel, ...payload(at) });
    },
  ],
  [
    5,
    (at) => {
      const { chance, known, site } = at;
      const own = site.requests.slice(-20);
      const revision = Math.max(1, site.revision - chance.below(6));
      const selection = chance.pick([
        { revisions: [revision] },
        { runRef: `id:${known.run}` },
        { request: own.length > 0 ? chance.pick(own) : UNKNOWN },
      ]);
      const onConflict = chance.pick(["keep", "back"]);
      return asked(at, "model/model_undo", { modelRef: `id:${site.id}`, ...selection, onConflict });
    },
  ],
];
