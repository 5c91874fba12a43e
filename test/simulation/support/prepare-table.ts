import { actorIdOf, PEOPLE } from "../../guarantees/support/reference/callers.ts";
import type { RefCommit } from "../../guarantees/support/reference/commits.ts";
import { modelOfDocument, type RefDocument } from "../../guarantees/support/reference/document.ts";
import type { RefModel } from "../../guarantees/support/reference/objects.ts";
import { emptyState, type RefState } from "../../guarantees/support/reference/state.ts";
import type { Scene, Site } from "./calls.ts";
import { CALM, type Conditions } from "./conditions.ts";
import { directTable } from "./direct-table.ts";
import type { Network } from "./network.ts";
import { writeCallers } from "./simulated-service.ts";
import { createSimulatedTable, type SimulatedTable } from "./simulated-table.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { createWorld } from "./world.ts";

/** The beginning of a schedule: the table, and the state that the reference and the clients know. */
export interface PreparedTable {
  readonly table: SimulatedTable;
  readonly scene: Scene;
  readonly state: RefState;
}

const GROUP = "g";
const ADMIN = actorIdOf(PEOPLE.get("admin"));
let made: ReturnType<typeof make> | undefined;

export async function prepareTable({ now }: Timeline, { pageRows, capacity }: Conditions): Promise<PreparedTable> {
  made ??= make();
  const { table, sites, state } = await made;
  const own = sites.map((site) => ({ ...site, ids: new Map(site.ids), requests: [] }));
  const scene = { sites: own, group: GROUP, globalTags: [], runs: [...state.runs.keys()], jobs: [] };
  return { table: table.copy({ now, pageRows, capacity }), scene, state: structuredClone(state) };
}

async function make() {
  const timeline = createTimeline(Date.parse("2027-03-01T00:00:00Z"));
  const table = createSimulatedTable({ now: timeline.now });
  await writeCallers(directTable(table));
  const network: Network = {
    ...{ timeline, seed: 0, table, weather: CALM, note: undefined },
    ...{ spared: new Set(), struck: [], suffered: new Map(), committed: [], newest: new Map(), requests: 0, hash: 0 },
  };
  const world = createWorld(network);
  let calls = 0;
  const run = async (action: string, body: object): Promise<unknown> => {
    const sent = { action, caller: "admin", payload: { query: [], body }, controls: {} } as const;
    let outcome: Awaited<ReturnType<typeof world.call>> | undefined;
    calls += 1;
    void world.call(sent, `prepared-${calls}`, calls, 0).then((one) => {
      outcome = one;
    });
    await timeline.run(() => outcome !== undefined);
    if (!outcome || "problem" in outcome) throw outcome?.problem ?? new Error(`${action} has no end`);
    return outcome.answer.body;
  };
  const made = async (action: string, body: { readonly key: string }) => {
    const { id } = (await run(action, body)) as { readonly id: string };
    return { id, key: body.key };
  };
  const group = await made("tag/tag_group_create", { key: GROUP });
  const tags: { id: string; key: string }[] = [];
  for (const key of ["a", "b"]) {
    const ref = { groupRef: `key:${GROUP}`, key };
    tags.push(await made("tag/tag_global_create", ref));
  }
  const none = emptyState();
  const state = { ...none, tags: { ...none.tags, revision: 3, groups: [{ ...group, tags }] } };
  const sites: Site[] = [];
  for (const keys of KEYS) {
    const { id } = await made("model/model_create", { key: keys[0], name: "Model" } as { readonly key: string });
    const modelRef = `id:${id}`;
    const past: RefCommit[] = [];
    const keep = async () => {
      const model = modelOfExport(await run("model/model_export", { modelRef }), past.length + 1);
      const { revision } = model;
      // Restoring and undoing ask for nothing else.
      past.push({ revision, model, tags: state.tags, release: undefined, actor: ADMIN } as unknown as RefCommit);
    };
    await keep();
    for (const [action, body] of CONTENTS) {
      await run(action, { modelRef, ...body });
      await keep();
    }
    const last = past.at(-1)?.model;
    if (!last) throw new Error("a model without a past");
    state.models.set(id, structuredClone(last));
    state.past.set(id, past);
    sites.push({ id, keys, revision: last.revision, ids: idsIn(last), requests: [] });
  }
  for (const title of ["One", "Two"]) {
    const { id } = (await run("model/run_begin", { title })) as { readonly id: string };
    state.runs.set(id, { own: { id, actor: ADMIN }, commits: [] });
  }
  return { table, sites, state };
}

function idsIn({ types, entities, localTags }: RefModel): Site["ids"] {
  const ids = (objects: readonly { readonly id: string }[]): string[] => objects.map(({ id }) => id);
  return new Map([
    ["type", ids(types)],
    ["entity", ids(entities)],
    ["attribute", ids(entities.flatMap(({ attributes }) => attributes))],
    ["tag", ids(localTags)],
  ]);
}

const KEYS = [
  ["m1", "m2"],
  ["n1", "n2"],
];

/** The writes that fill each model at the beginning, one commit after the other. */
const CONTENTS: readonly (readonly [string, object])[] = [
  ["model/type_create", { typeKey: "a" }],
  ["model/entity_create", { entityKey: "a" }],
  ["model/entity_create", { entityKey: "b" }],
  ["model/entity_attribute_create", { entityRef: "key:a", attributeKey: "a", type: "key:a", optional: true }],
  ["tag/tag_local_create", { key: "a" }],
];

function modelOfExport(body: unknown, revision: number): RefModel {
  const document = body as RefDocument;
  return { ...modelOfDocument(document, ({ id }) => String(id), new Map()), revision };
}

/** The content that a document and a copy of it have in common, as one text. */
export function contentOf(document: unknown): string {
  const { key: _, authority: __, ...content } = document as Readonly<Record<string, unknown>>;
  return JSON.stringify(content, (_name, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value).filter(([name]) => name !== "id");
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
