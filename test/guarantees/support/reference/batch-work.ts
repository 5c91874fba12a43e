import { jsonOf } from "./constraints.ts";
import type { Named, RefModel, RefTags } from "./objects.ts";
import { markedIn, type RefState } from "./state.ts";
import type { RefChange, RefWrite } from "./write-result.ts";

export interface Opened {
  readonly id: string;
  readonly key: string;
  /** The revisions of the ledger before the batch (`before`) and now (`revision`). */
  readonly before: number;
  readonly revision: number;
  /** True for a model that begins with the batch. */
  readonly begun: boolean;
}

export type Work = ReturnType<typeof createWork>;

type Row = Omit<RefChange, "change"> & {
  /** The object as a text that tells whether it changed. */
  readonly text: () => string;
  readonly owner: string | undefined;
};

const INSIDE = ["types", "entities", "relationships", "businessKeys", "localTags", "attributes", "groups"];

/** An object's own members as a text; the objects inside it have rows of their own. */
function textOf(kind: RefChange["kind"], object: object): string {
  const others = ["revision", ...INSIDE, ...(kind === "tag_group" ? ["tags"] : [])];
  const fields = Object.fromEntries(Object.entries(object).filter(([member]) => !others.includes(member)));
  return jsonOf(fields);
}

function once<T>(ask: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => {
    answer ??= { value: ask() };
    return answer.value;
  };
}

function objectsOf({ models, tags }: RefState): Map<string, Row> {
  const rows = new Map<string, Row>();
  const add = (kind: RefChange["kind"], object: Named, owner?: string) => {
    const { id, key } = object;
    rows.set(id, { kind, id, key, text: once(() => textOf(kind, object)), owner });
  };
  for (const model of models.values()) {
    add("model", model);
    for (const one of model.types) add("type", one, model.id);
    for (const one of model.localTags) add("tag", one, model.id);
    for (const one of model.entities) add("entity", one, model.id);
    for (const one of model.relationships) add("relationship", one, model.id);
    for (const one of model.businessKeys) add("business_key", one, one.entity);
    for (const holder of [...model.entities, ...model.relationships])
      for (const one of holder.attributes) add("attribute", one, holder.id);
  }
  for (const one of tags.definitions) add("property_definition", one);
  for (const group of tags.groups) {
    add("tag_group", group);
    for (const tag of group.tags) add("global_tag", tag, group.id);
  }
  return rows;
}

function changesOf(before: ReadonlyMap<string, Row>, now: ReadonlyMap<string, Row>): ReadonlySet<string> {
  const ledgerOf = (rows: ReadonlyMap<string, Row>, id: string): string => {
    const row = rows.get(id);
    if (row && ["tag_group", "global_tag", "property_definition"].includes(row.kind)) return "tags";
    return row?.owner === undefined ? id : ledgerOf(rows, row.owner);
  };
  const changed = new Set<string>();
  for (const [id, { text }] of now) if (before.get(id)?.text() !== text()) changed.add(ledgerOf(now, id));
  for (const id of before.keys()) if (!now.has(id)) changed.add(ledgerOf(before, id));
  return changed;
}

const ledgersOf = ({ models, tags }: RefState): readonly (RefModel | RefTags)[] => [...models.values(), tags];

/** Creates a copy of a state, on which the entries of a batch run. */
export function createWork(original: RefState) {
  const state = { ...original, models: structuredClone(original.models), tags: structuredClone(original.tags) };
  const before = new Map(ledgersOf(original).map((one) => [one.id, { key: "key" in one ? one.key : one.id, ...one }]));
  const opened: string[] = [];
  /** Objects that entries changed, by ledger; what was made and is gone again is none. */
  const touched = new Map<string, Set<string>>();
  const wasThere = objectsOf(original);
  let objectsNow = once(() => objectsOf(state));
  /** The ledgers that are not as they were. */
  let changedLedgers = once(() => changesOf(wasThere, objectsNow()));
  /** Has both looked for again when they are asked for next. */
  const wasWritten = (): void => {
    objectsNow = once(() => objectsOf(state));
    changedLedgers = once(() => changesOf(wasThere, objectsNow()));
  };

  const open = (id: string): void => {
    if (!opened.includes(id)) opened.push(id);
  };
  const isMoved = (id: string): boolean => (touched.get(id)?.size ?? 0) > 0;
  /** Returns the revision that a ledger has for the entries that follow. */
  const revisionOf = (id: string): number => (before.get(id)?.revision ?? 0) + (isMoved(id) ? 1 : 0);

  /** Takes down what a write did, and gives every ledger the revision it has for what follows. */
  const settle = (id: string, changes: readonly RefChange[]): void => {
    const set = touched.get(id) ?? new Set();
    touched.set(id, set);
    for (const change of changes) set.add(change.id);
    const isThere = objectsNow();
    for (const one of set) if (!wasThere.has(one) && !isThere.has(one)) set.delete(one);
    for (const ledger of ledgersOf(state)) ledger.revision = revisionOf(ledger.id);
  };

  /** Marks of tags that were made here and are gone again never were. */
  const forgetVanishedTags = (made: ReadonlySet<string>): void => {
    const isThere = objectsNow();
    const lives = (id: string): boolean => !made.has(id) || isThere.has(id);
    for (const model of state.models.values())
      for (const one of markedIn(model)) {
        one.tags = one.tags.filter(lives);
        one.globalTags = one.globalTags.filter(lives);
      }
    wasWritten();
  };
  const made = new Set<string>();

  const netRows = (): { sure: RefChange[]; maybe: string[] } => {
    const isThere = objectsNow();
    const sure: RefChange[] = [];
    const maybe: string[] = [];
    for (const [id, { kind, key, text }] of isThere) {
      const old = wasThere.get(id);
      if (old?.text() !== text()) sure.push({ change: old ? "update" : "create", kind, id, key });
    }
    for (const [id, { kind, key, owner }] of wasThere) {
      if (isThere.has(id)) continue;
      if (owner !== undefined && wasThere.has(owner) && !isThere.has(owner)) maybe.push(id);
      else sure.push({ change: "delete", kind, id, key });
    }
    return { sure, maybe };
  };

  /** Returns the revision that a ledger has in the end. */
  const lastRevisionOf = (id: string): number => (before.get(id)?.revision ?? 0) + (changedLedgers().has(id) ? 1 : 0);
  const shown = (id: string): Opened => {
    const old = before.get(id);
    const key = state.models.get(id)?.key ?? old?.key ?? id;
    return {
      ...{ id, key, before: old?.revision ?? 0, begun: old === undefined },
      get revision() {
        return lastRevisionOf(id);
      },
    };
  };

  return {
    state,
    /** The ledgers that entries have met so far, in the order in which they were met. */
    get opened() {
      return opened.map(shown);
    },
    open,
    revisionOf,
    lastRevisionOf,
    /** Does what an entry decided. */
    run: ({ ledger, changes, apply }: RefWrite) => {
      open(ledger.id);
      for (const { change, id } of changes) if (change === "create") made.add(id);
      if (changes.length > 0) apply();
      wasWritten();
      settle(ledger.id, changes);
    },
    /** Returns the ledgers that the batch reports, the rows of a dry run, and whether anything changed. */
    finish: () => {
      forgetVanishedTags(made);
      const changed = changedLedgers();
      // A model that was made and deleted again never was, and tags are read with whatever they mark.
      const still = opened
        .map(shown)
        .filter(({ id, begun }) => (id === "tags" ? changed.has(id) : !begun || state.models.has(id)));
      for (const one of ledgersOf(state))
        one.revision = (before.get(one.id)?.revision ?? 0) + (changed.has(one.id) ? 1 : 0);
      return { opened: still, rows: netRows(), changed: changed.size > 0 };
    },
    /** Puts the copy in the place of the original. */
    keep: () => {
      original.models.clear();
      for (const [id, model] of state.models) original.models.set(id, model);
      Object.assign(original.tags, state.tags);
    },
  };
}
