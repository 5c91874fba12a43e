import type { SentCall } from "../../guarantees/support/reference/answer.ts";
import type { CallMix } from "../../simulation/support/call-mix.ts";
import { aCall, type Scene, type Site } from "../../simulation/support/calls.ts";
import { learn } from "../../simulation/support/schedule.ts";
import type { Chance } from "../../support/chance.ts";
import { headersOf } from "../../support/http-call.ts";
import { other, type Release, type Reply } from "./two-releases.ts";

/** A call as a client sends it, to either release. */
export interface MixedCall {
  readonly release: Release;
  readonly sent: SentCall;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call of the administrator without control headers. */
export const toCall = (release: Release, action: string, body: object): MixedCall => ({
  release,
  sent: { action, caller: "admin", payload: { query: [], body }, controls: {} },
  headers: {},
});

/** The same call, sent to the other release. */
export const repeat = ({ release, sent, headers: { run: _, ...headers } }: MixedCall): MixedCall => ({
  ...{ release: other(release), sent, headers },
});

export const isRead = ({ action }: SentCall): boolean => /_(get|list|export)$/.test(action);

/** The contents of a model, whose keys the calls use. */
export const createContents = (key: string): object => ({
  ...{ $schema: "urn:metaction:model:2", key, name: "Model", types: [{ key: "a" }, { key: "b" }] },
  entities: ["a", "b"].map((name) => ({ key: name, attributes: [{ key: "a", type: "key:a" }] })),
  relationships: [
    { key: "a", roles: ["a", "b"].map((name) => ({ key: name, entity: `key:${name}`, cardinality: "one" })) },
  ],
  businessKeys: [{ key: "a", entity: "key:a", participants: ["key:a"] }],
  localTags: [{ key: "a" }],
});

const HABITS: CallMix = {
  sorts: { write: 58, read: 14, list: 2, tags: 8, batch: 9, import: 2, restore: 3, copy: 1, release: 3, delete: 6 },
  ...{ keys: ["a", "b", "c"], large: 0.1, keyed: 0.4, pinned: 0.1, ownTexts: true },
};
/** Share of the writes of the present release that are part of the run. */
const IN_RUN = 0.25;
const USERNAMES = ["grace", "linus"] as const;
const UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057";

/** The clients' calls, and the facts that they take from the answers. */
export class Clients {
  readonly usernames = USERNAMES;
  readonly #sites: Site[] = [];
  readonly #scene: Scene = { sites: this.#sites, group: "g", globalTags: [], jobs: [], runs: [] };
  /** Ids by the action that made them. */
  readonly #ids = new Map<string, string[]>();
  readonly #deleted = new Set<string>();
  run = "";

  addSite(id: string, key: string): void {
    this.#sites.push({ id, keys: [key, `${key}2`], revision: 1, ids: new Map(), requests: [] });
  }

  takeIn({ sent }: MixedCall, { body, headers }: Reply): void {
    const { action } = sent;
    const etag = headers.etag?.replaceAll('"', "");
    const answer = { mediaType: "application/json", body, ...(etag !== undefined && { etag }) };
    learn(this.#scene, { request: headers["x-request-id"] ?? "", call: sent, outcome: { answer } });
    if (/^(auth|property).*_create$/.test(action))
      this.#ids.set(action, [...(this.#ids.get(action) ?? []), body.actorId ?? body.id]);
    if (action === "model/model_delete" && !body.dryRun) this.#deleted.add(body.id);
    if (action === "model/model_undelete" && !body.dryRun) this.#deleted.delete(body.id);
  }

  draw(chance: Chance, newKey: () => string): MixedCall {
    const [action, body] = this.#drawOwn(chance, newKey) ?? [];
    const controls = chance.happens(0.3) ? { idempotencyKey: newKey() } : {};
    const drawn: SentCall =
      action === undefined
        ? aCall(chance, HABITS, this.#scene, newKey)
        : { action, caller: "admin", payload: { query: [], body }, controls };
    const isPresent = /model_und/.test(drawn.action) || chance.happens(0.5);
    const sent = isPresent ? drawn : this.#avoidDeleted(drawn);
    const run = isPresent && !isRead(sent) && !sent.controls.dryRun && chance.happens(IN_RUN);
    const headers = { ...headersOf(sent.controls), ...(run && { run: `id:${this.run}` }) };
    return { release: isPresent ? "present" : "earlier", sent, headers };
  }

  /**
   * A process of the earlier release that is asked by id for the past of a deleted model keeps it, and then takes it for a
   * live one under its key. Returns an export by key, which never finds a deleted model.
   */
  #avoidDeleted(sent: SentCall): SentCall {
    const { modelRef } = sent.payload.body as { readonly modelRef?: string };
    const site = this.#sites.find(({ id }) => modelRef === `id:${id}`);
    if (!site || sent.action !== "model/model_export") return sent;
    return { ...sent, payload: { query: [], body: { modelRef: `key:${site.keys[0]}` } } };
  }

  #drawOwn(chance: Chance, newKey: () => string): readonly [action: string, body: object] | undefined {
    const { id, keys, revision, requests } = chance.pick(this.#sites);
    const modelRef = `id:${id}`;
    const [gone] = this.#deleted;
    if (gone !== undefined && chance.happens(0.3)) return ["model/model_undelete", { modelRef: `id:${gone}` }];
    const idOf = (maker: string) => `id:${chance.pick(this.#ids.get(maker) ?? [UNKNOWN])}`;
    const key = newKey();
    const entities = [{ key, attributes: [{ key, type: "key:a" }] }];
    const content = { ...createContents(keys[0] ?? ""), entities, relationships: [], businessKeys: [] };
    const roleRef = idOf("auth/role_create");
    const username = chance.pick(USERNAMES);
    const serviceAccountRef = idOf("auth/service_account_create");
    const definitionRef = idOf("property/definition_create");
    const steward = { modelRef, property: "steward", value: key };
    const undone = [{ revisions: [Math.max(1, revision - chance.below(6))] }, { runRef: `id:${this.run}` }];
    const selection = chance.pick([...undone, { request: chance.pick([UNKNOWN, ...requests].slice(-20)) }]);
    const entries = Array.from({ length: 55 }, (_, n) => ({ modelRef, entityKey: `${key} ${n}` }));
    const own: readonly (readonly [weight: number, action: string, body: object])[] = [
      [3, "model/model_apply", { modelRef, content }],
      [2, "model/import", { into: modelRef, source: "crm.json", content, onConflict: "theirs" }],
      [2, "model/model_update_authority", { modelRef, value: chance.pick(["system", "canonical"]) }],
      [1, "model/model_update_property", steward],
      [2, "model/entity_update_property", { ...steward, entityRef: "key:a" }],
      [5, "model/model_undo", { modelRef, ...selection, onConflict: chance.pick(["keep", "back"]) }],
      // More items than one transaction takes.
      [1, "batch/batch_run", { actions: entries.map((payload) => ({ ...ENTITY_CREATE, payload })) }],
      [1, "auth/role_create", { key, name: key }],
      [1, "auth/role_update_name", { roleRef, value: key }],
      [1, "auth/role_add_permission", { roleRef, permissionKey: chance.pick(["model_read", "model_write"]) }],
      [0.5, "auth/role_delete", { roleRef }],
      [1, "auth/actor_add_role", { actorId: idOf("auth/user_create").slice("id:".length), roleRef }],
      [1, "auth/user_change_fullname", { username, fullname: key.replace(/\d/g, "x") }],
      [1, `auth/user_${chance.pick(["disable", "enable"])}`, { username: "linus" }],
      [1, "auth/service_account_create", { key, name: key }],
      [1, "auth/service_account_update", { serviceAccountRef, name: key }],
      [2, "property/definition_create", { key: `p-${key}` }],
      [1, "property/definition_update_name", { definitionRef, value: key }],
      [1, "property/definition_delete", { definitionRef }],
    ];
    return chance.weighted([[undefined, 60], ...own.map(([weight, ...call]) => [call, weight] as const)]);
  }
}

const ENTITY_CREATE = { group: "model", action: "entity_create" };
