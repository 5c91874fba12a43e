import { readBlob } from "../../../shared/store/log/blobs.ts";
import { type LogChange, type LogEntry, toLogEntry, type WholeEntry } from "../../../shared/store/log/log.ts";
import { isMoved } from "../../../shared/store/table/items.ts";
import { logPartition, SUMMARIES, SWEEPS, summaryKey } from "../../../shared/store/table/keys.ts";
import type { Item, Table } from "../../../shared/store/table/table.ts";
import { ownerAt, replayEntry, type State, same } from "./replay.ts";

/**
 * Holds everything the table says of one model against its log, and answers every disagreement in a sentence: the log
 * without gaps, its replay equal to the objects, ids and objects leading to each other, the summary as the head has it,
 * references that resolve, and nothing left over that no sweep note covers.
 */
export async function checkModel(table: Table, modelId: string): Promise<string[]> {
  const log = await Promise.all((await partition(table, logPartition(modelId))).map((item) => entryOf(table, item)));
  const head = log.at(-1);
  if (!head) return [];
  const faults = log.flatMap((entry, i) => (entry.revision === i + 1 ? [] : [`log: ${i + 1} is missing`]));
  const { state, wrong } = await replay(table, log);
  faults.push(...wrong);
  const place = `${modelId}#${head.generation}`;
  const objects = await partition(table, `model#${place}`);
  const notes = await partition(table, SWEEPS);
  const covered = (owner?: string): boolean =>
    notes.some((n) => n.model === modelId && n.generation === head.generation && n.owner === owner);
  faults.push(...compareObjects(state, objects, (owner) => covered(owner) || covered()));
  const leads = (id: string, at: unknown): boolean =>
    covered() || objects.some((item) => item.sk === at && item.id === id && covered(ownerAt(item.sk, item)));
  faults.push(...compareIds(state, await partition(table, `ids#${place}`), leads));
  faults.push(...brokenReferences(state), ...(await compareSummaries(table, modelId, head, state)));
  for (const release of await partition(table, `release#${modelId}`)) {
    if (Number(release.revision) > head.revision) faults.push(`release ${release.sk} is of no revision yet`);
  }
  return faults;
}

/** An entry with its changes, which may lie in a blob; those of a publication as well. */
async function entryOf(table: Table, item: Item): Promise<WholeEntry> {
  const entry = toLogEntry(item);
  const blob = entry.blob ?? entry.publication;
  if (blob === undefined) return entry.touched ? { ...entry, changes: entry.touched } : entry;
  return { ...entry, changes: (await readBlob(table, blob)) as readonly LogChange[] };
}

/** Faults of every model that has a log. */
export async function checkAll(table: Table, items: readonly Item[]): Promise<string[]> {
  const models = new Set(items.filter(({ pk }) => pk.startsWith("log#")).map(({ pk }) => pk.slice("log#".length)));
  models.delete("identity");
  const faults: string[] = [];
  for (const model of models) faults.push(...(await checkModel(table, model)).map((f) => `model ${model}: ${f}`));
  return faults;
}

/** All items of a partition. */
export async function partition(table: Table, pk: string): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const page = await table.query({ pk, ...(after !== undefined && { after }) });
    items.push(...page.items);
    after = page.more;
  } while (after !== undefined);
  return items;
}

async function replay(table: Table, log: readonly LogEntry[]): Promise<{ state: State; wrong: string[] }> {
  let state: State = new Map();
  const wrong: string[] = [];
  for (const entry of log) {
    if (entry.snapshot === undefined) wrong.push(...replayEntry(state, entry));
    else {
      const published = snapshotState(await readBlob(table, entry.snapshot));
      const overtaking = log.filter(
        ({ revision }) => revision > (entry.snapshotAt ?? entry.revision) && revision < entry.revision,
      );
      for (const one of overtaking) wrong.push(...replayEntry(published, one));
      if (entry.revision > 1) {
        wrong.push(...replayEntry(state, entry), ...differing(state, published, entry.revision));
      }
      state = published;
    }
    if (entry.state === "deleted" && entry !== log.at(-1)) wrong.push(`revision ${entry.revision} is no tombstone`);
  }
  return { state, wrong };
}

/**
 * The faults of a publication that does not hold the objects its changes say; an object that changed may carry an earlier
 * revision.
 */
function differing(state: State, published: State, revision: number): string[] {
  const faults: string[] = [];
  for (const sk of new Set([...state.keys(), ...published.keys()])) {
    const [wanted, there] = [state.get(sk), published.get(sk)];
    const right =
      wanted &&
      there &&
      same(sorted(wanted.fields), sorted(there.fields)) &&
      (wanted.revision === there.revision || (wanted.revision === revision && there.revision < revision));
    if (!right) faults.push(`the publication at revision ${revision} has another ${sk} than its changes say`);
  }
  return faults;
}

function sorted(fields: object): unknown {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
}

function snapshotState(snapshot: unknown): State {
  const objects = snapshot as (Record<string, unknown> & { kind: string; key: string; owner?: string })[];
  return new Map(
    objects.map(({ kind, revision, ...fields }) => {
      const { key, owner } = fields;
      const sk = kind === "model" ? "model" : [kind, ...(owner === undefined ? [] : [owner]), key].join("#");
      return [sk, { kind, revision: Number(revision), fields }];
    }),
  );
}

function compareObjects(state: State, items: readonly Item[], covered: (owner: string) => boolean): string[] {
  const faults: string[] = [];
  const left = new Map(state);
  for (const { pk: _, sk, v, revision, ...fields } of items) {
    const wanted = left.get(sk);
    left.delete(sk);
    if (v !== 1) faults.push(`${sk} has format ${v}`);
    if (!wanted) {
      if (!covered(ownerAt(sk, fields))) faults.push(`${sk} should not be there`);
      continue;
    }
    if (wanted.revision !== revision) faults.push(`${sk} is at ${revision}, by the log at ${wanted.revision}`);
    for (const name of new Set([...Object.keys(fields), ...Object.keys(wanted.fields)])) {
      if (!same(fields[name], wanted.fields[name])) faults.push(`${sk} and the log differ in ${name}`);
    }
  }
  return [...faults, ...[...left.keys()].map((sk) => `${sk} is missing`)];
}

/** `leads` tells of an id that leads to what a removed owner left and the sweeper will find. */
function compareIds(state: State, items: readonly Item[], leads: (id: string, at: unknown) => boolean): string[] {
  const faults: string[] = [];
  const left = new Map<string, string>();
  for (const [sk, { kind, fields }] of state) {
    if (kind !== "model" && kind !== "attribute") left.set(String(fields.id), sk);
  }
  for (const { sk: id, at } of items) {
    if (left.get(id) !== at && !leads(id, at)) faults.push(`id ${id} leads to ${at}, where it is not`);
    left.delete(id);
  }
  return [...faults, ...[...left].map(([id, sk]) => `no id ${id} leads to ${sk}`)];
}

function brokenReferences(state: State): string[] {
  const byId = new Map([...state.values()].map((object) => [object.fields.id, object]));
  const faults: string[] = [];
  for (const [sk, { kind, fields }] of state) {
    const wanted: [unknown, string][] = [];
    const owner = byId.get(fields.owner)?.kind === "relationship" ? "relationship" : "entity";
    if (kind === "attribute") wanted.push([fields.owner, owner], [fields.type, "type"]);
    if (kind === "business_key") wanted.push([fields.entity, "entity"]);
    for (const { entity } of (fields.roles ?? []) as { entity: unknown }[]) wanted.push([entity, "entity"]);
    for (const id of [fields.primaryKey ?? [], fields.participants ?? []].flat()) wanted.push([id, "attribute"]);
    for (const [id, of] of wanted) if (byId.get(id)?.kind !== of) faults.push(`${sk} names a missing ${of}`);
  }
  return faults;
}

async function compareSummaries(table: Table, modelId: string, head: LogEntry, state: State): Promise<string[]> {
  const rows = (await partition(table, SUMMARIES)).filter((row) => row.id === modelId && !isMoved(row));
  const model = state.get("model");
  if (head.state === "deleted") return rows.map(({ sk }) => `the deleted model is still listed as ${sk}`);
  if (!model) return ["there is no model object"];
  const faults = rows.filter(({ sk }) => sk !== head.key).map(({ sk }) => `it is also listed as ${sk}`);
  if (head.key !== model.fields.key) faults.push(`the head has the key ${head.key}, the model ${model.fields.key}`);
  const row = await table.get(summaryKey(String(model.fields.key)));
  if (!row || row.id !== modelId) return [...faults, `it is not listed as ${model.fields.key}`];
  for (const name of ["name", "version", "authority"]) {
    if (!same(row[name], model.fields[name])) faults.push(`its summary has another ${name}`);
  }
  return faults;
}
