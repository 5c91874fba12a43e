import type { KindName } from "../../../../shared/domain/kinds.ts";
import type { RefPast } from "./commits.ts";
import { jsonOf } from "./constraints.ts";
import { type Piece, type Pieces, piecesOf, readSlot, rolesIn } from "./undo-pieces.ts";

/** A slot that selected commits wrote, over all states of a model. */
interface Trace {
  /** The value after the last commit of somebody else before the last selected one, to which an undo sets it. */
  readonly before: string | undefined;
  readonly now: string | undefined;
  /** The last commit of somebody else after the selected ones. */
  readonly later: number | undefined;
  /** The same, if the value is another than the selected commits left. */
  readonly since: number | undefined;
  /** The selected commit that took the value before away. */
  readonly from: number;
}

/** Follows a slot; the first of its values is that before the first revision. */
function traceOf(values: readonly (string | undefined)[], isPicked: (at: number) => boolean): Trace | undefined {
  const writes = changesIn(values);
  const last = writes.findLast(isPicked);
  if (last === undefined) return undefined;
  const fence = writes.findLast((at) => at < last && !isPicked(at)) ?? 0;
  const now = values.at(-1);
  const later = writes.findLast((at) => at > last);
  const since = now === values[last] ? undefined : later;
  return { before: values[fence], now, later, since, from: writes.find((at) => at > fence) ?? last };
}

const changesIn = (values: readonly unknown[]) =>
  values.flatMap((value, at) => (at > 0 && value !== values[at - 1] ? at : []));

/** A part of changes, as a parameter has it. */
export type RefSelection = Readonly<
  Partial<Record<"objects" | "kinds" | "paths" | "members" | "authors" | "runs", readonly string[]>>
>;

export interface Conflict {
  readonly id: string;
  readonly kind: KindName;
  /** The key it has, or had last. */
  readonly key: string;
  readonly member?: string;
  readonly now?: string | undefined;
  readonly before?: string | undefined;
  /** A text that the reason contains. */
  readonly why: string;
  readonly since?: number | undefined;
}

interface Wanted {
  readonly picked: ReadonlySet<number>;
  readonly select: RefSelection | undefined;
  readonly except: RefSelection | undefined;
  readonly isBack: boolean;
}

/** Merges what a model is with what it was before the picked commits, where it is as these left it. */
export function mergedWithout(past: RefPast, { picked, select, except, isBack }: Wanted) {
  const states: readonly Pieces[] = [new Map(), ...past.map(({ model }) => piecesOf(model))];
  const now: Pieces = states.at(-1) ?? new Map();
  const result = new Map(now);
  const conflicts: Conflict[] = [];
  const traces = new Map<string, ReadonlyMap<string, Trace>>();
  const taken = new Set<number>();

  const lastOf = (id: string): Piece | undefined => states.findLast((state) => state.has(id))?.get(id);
  const keyOf = (id: string) => String(readSlot(lastOf(id)?.slots ?? new Map(), "key"));
  const valuesOf = (id: string, name: string) => states.map((state) => state.get(id)?.slots.get(name));
  const namesOf = (id: string) => new Set(states.flatMap((state) => [...(state.get(id)?.slots.keys() ?? [])]));
  const tell = (id: string, conflict: Omit<Conflict, "id" | "kind" | "key">) =>
    conflicts.push({ id, kind: lastOf(id)?.kind ?? "model", key: keyOf(id), ...conflict });

  const fits = (selection: RefSelection, id: string, slot: string, at: number): boolean => {
    const { objects, kinds, paths, members, authors, runs } = selection;
    const { kind = "model", slots = new Map() } = lastOf(id) ?? {};
    const [owner] = readSlot<string>(slots, kind === "business_key" ? "entity" : "owner");
    const path = kind === "attribute" ? `${keyOf(owner ?? "")}.${keyOf(id)}` : keyOf(id);
    const isAmong = (ids: readonly string[], one: string | undefined) =>
      ids.some((other) => other.replace(/^id:/, "").toLowerCase() === one);
    return (
      (!objects || isAmong(objects, id) || isAmong(objects, owner)) &&
      (!kinds || kinds.includes(kind)) &&
      (!paths || paths.some((one) => (one.endsWith("*") ? path.startsWith(one.slice(0, -1)) : path === one))) &&
      (!members || members.some((member) => `${slot}.`.startsWith(`${member}.`))) &&
      (!authors || isAmong(authors, past[at - 1]?.actor)) &&
      (!runs || isAmong(runs, past[at - 1]?.run))
    );
  };

  /** True for a change of a slot that is to be taken back. An object comes and goes as a whole. */
  const isPicked = (id: string, name: string, at: number): boolean => {
    if (!picked.has(at)) return false;
    const slot = states[at - 1]?.has(id) === states[at]?.has(id) ? name : "";
    return (!select || fits(select, id, slot, at)) && !(except && fits(except, id, slot, at));
  };

  const revert = (id: string) => {
    const all: [string, Trace][] = [];
    const others: number[] = [];
    let first = Number.POSITIVE_INFINITY;
    for (const name of namesOf(id)) {
      const values = valuesOf(id, name);
      const [own, rest] = [true, false].map((is) => changesIn(values).filter((at) => isPicked(id, name, at) === is));
      others.push(...(rest ?? []));
      first = Math.min(first, ...(own ?? []));
      for (const at of own ?? []) taken.add(at);
      const trace = traceOf(values, (at) => isPicked(id, name, at));
      if (trace) all.push([name, trace]);
    }
    if (all.length === 0) return;
    const own = new Map(all);
    traces.set(id, own);
    const present = now.get(id);
    const existence = own.get("");
    const later = others.filter((at) => at >= first);
    const since = later.length > 0 ? Math.max(...later) : undefined;
    const isBefore = all.some(([, { before }]) => before !== undefined);
    if (existence && existence.before === undefined) {
      // They made it: it goes, unless there is something of somebody else in it, or was before they wrote over it.
      if (!present) return;
      const isOthers =
        isBefore || all.some((one) => one[1].since !== undefined) || [...present.slots.keys()].some((n) => !own.has(n));
      if (present.kind === "model") tell(id, { why: "model_delete" });
      else if (isOthers) tell(id, { why: "somebody else", since });
      if (present.kind !== "model" && (isBack || !isOthers)) result.delete(id);
      return;
    }
    // Nothing comes back that somebody else deleted, though the picked commits had deleted it once before.
    if (!present && (!existence || existence.later !== undefined)) {
      if (isBefore) tell(id, { why: "somebody else", since: existence?.later ?? since });
      if (!existence || !isBack) return;
    }
    const slots = new Map(present?.slots ?? [["", "true"]]);
    for (const [member, trace] of all) {
      if (member === "" || trace.before === trace.now) continue;
      // Of what comes back as a whole its members are not told of.
      const isOthers = trace.since !== undefined && (present || existence?.later === undefined);
      if (isOthers)
        tell(id, { member, now: trace.now, before: trace.before, why: "somebody else", since: trace.since });
      if (isOthers && !isBack) continue;
      if (trace.before === undefined) slots.delete(member);
      else slots.set(member, trace.before);
    }
    const kind = lastOf(id)?.kind ?? "model";
    if (jsonOf([...slots]) !== jsonOf([...(present?.slots ?? [])])) result.set(id, { kind, slots });
  };

  /** Leaves objects as they are now. */
  const keep = (ids: readonly string[], why: string): boolean => {
    for (const id of ids) {
      const present = now.get(id);
      if (present) result.set(id, present);
      else result.delete(id);
      tell(id, { why });
    }
    return ids.length > 0;
  };

  /** Of objects with one key those that do not have it now; where none has it, all but the one that lost it first. */
  const losers = (): readonly string[] => {
    const places = Map.groupBy(result, ([, { kind, slots }]) => [kind, slots.get("owner"), slots.get("key")].join());
    const rank = ([id, { slots }]: readonly [string, Piece]) =>
      now.get(id)?.slots.get("key") === slots.get("key") ? 0 : (traces.get(id)?.get("key")?.from ?? 0);
    return [...places.values()].flatMap((all) => {
      const [, ...others] = all.toSorted((a, b) => rank(a) - rank(b));
      return others.map(([id]) => id);
    });
  };

  const settle = (): void => {
    for (;;) {
      const needed = new Set([...result.values()].flatMap(namesIn));
      const leaving = [...now.keys()].filter((id) => !result.has(id) && needed.has(id));
      const broken = [...result.keys()].filter((id) => result.get(id) !== now.get(id) && isBroken(id, result, past));
      if (!keep(leaving, "needs it") && !keep(broken, "") && !keep(losers(), "has its key now")) return;
    }
  };

  /** Throws if the result is without something that somebody else wrote later, other than the picked commits left it. */
  const requireNothingLost = (): void => {
    const first = Math.min(...picked);
    for (const id of ids) {
      for (const name of namesOf(id)) {
        const values = valuesOf(id, name);
        const writes = changesIn(values);
        const [last = 0, own = 0] = [writes.at(-1), writes.findLast((at) => isPicked(id, name, at))];
        const isGone = name === "" && values[last] === undefined;
        const isLater = last > first && !isPicked(id, name, last) && (isGone || values[last] !== values[own]);
        const isAbsent = name !== "" && !result.has(id) && !now.has(id);
        if (isLater && !isAbsent && result.get(id)?.slots.get(name) !== values[last])
          throw new Error(`${name} of ${id} is not as revision ${last} left it`);
      }
    }
  };

  const ids = new Set(states.flatMap((state) => [...state.keys()]));
  for (const id of ids) revert(id);
  settle();
  if (!isBack) requireNothingLost();
  return { before: now, after: result as Pieces, taken: [...taken].sort((a, b) => a - b), conflicts };
}

/** Ids of the objects without which an object cannot be. */
function namesIn({ kind, slots }: Piece): readonly string[] {
  const read = (name: string) => readSlot<string>(slots, name);
  if (kind === "attribute") return [...read("owner"), ...read("type")];
  const roles = [...slots.keys()].filter((name) => name.startsWith("roles."));
  const entities = roles.flatMap((name) => readSlot<{ readonly entity: string }>(slots, name));
  return [...read("primaryKey"), ...read("entity"), ...read("participants"), ...entities.map(({ entity }) => entity)];
}

/** True for an object that cannot be among others: it names what is gone, or attributes and roles that do not fit. */
function isBroken(id: string, all: Pieces, past: RefPast): boolean {
  const piece = all.get(id);
  if (!piece) return false;
  if (namesIn(piece).some((one) => !all.has(one))) return true;
  const { kind, slots } = piece;
  const isOf = (attribute: string, owner: string | undefined): boolean => {
    const there = all.get(attribute);
    return !there || readSlot(there.slots, "owner")[0] === owner;
  };
  if (kind === "entity") return !readSlot<string>(slots, "primaryKey").every((one) => isOf(one, id));
  const [entity] = readSlot<string>(slots, "entity");
  if (kind === "business_key") return !readSlot<string>(slots, "participants").every((one) => isOf(one, entity));
  if (kind !== "relationship") return false;
  const roles = rolesIn(id, piece, past);
  const pairs: readonly (readonly string[])[] = JSON.parse(slots.get("keyPairs") ?? "[]");
  const isTwice = new Set(roles.map(({ key }) => key)).size < roles.length;
  if (roles.length < 2 || isTwice || (pairs.length > 0 && roles.length > 2)) return true;
  return !pairs.every((pair) => pair.every((one, side) => isOf(one, roles[side]?.entity)));
}
