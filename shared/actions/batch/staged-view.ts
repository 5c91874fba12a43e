import type { Change } from "../../domain/change.ts";
import { byKey, contentOf, living, objectsOf } from "../../domain/content.ts";
import { keyTaken } from "../../domain/key-taken.ts";
import type { KindName } from "../../domain/kind-names.ts";
import { KINDS } from "../../domain/kinds.ts";
import { type AnyObject, type Model, type ObjectByKind, ownerOf } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import type { Page, Rows, View } from "../contract/view.ts";
import { createStagedObjects, type StagedObjects } from "./staged-objects.ts";

/** A ledger at one revision with the changes staged so far in a batch: what its next entry sees. */
export interface StagedView extends View {
  /** The ledger without the changes. */
  readonly base: View;
  /** True for a model that begins with the batch. */
  readonly begun: boolean;
  readonly staged: StagedObjects;
  /** Stages changes; `key_taken` where an object would come to a key that another one has. */
  stage(changes: readonly Change[]): Promise<void>;
}

/** A ledger before the first entry; `begun` for a model that is not in the table yet. */
export function createStagedView(base: View, begun: boolean): StagedView {
  const staged = createStagedObjects();

  /** An object of the table that no entry before has changed; undefined for one that is changed or gone. */
  const untouched = (object: AnyObject | undefined): AnyObject | undefined =>
    object && !staged.has(object.id) && !staged.isGone(ownerOf(object)) ? object : undefined;

  /** In the table there is nothing yet of a model that begins, nor of an owner that was made here. */
  const inTable = (owner: string | undefined): boolean => !begun && !(owner !== undefined && staged.isNew(owner));

  const atKey = async (kind: KindName, owner: string | undefined, key: string): Promise<AnyObject | undefined> => {
    const here = staged.at(kind, owner, key);
    if (here || !inTable(owner)) return here;
    return untouched(await base.find(kind, { scheme: "key", value: key }, owner));
  };

  const byId = async (kind: KindName, ref: Ref, owner: string | undefined): Promise<AnyObject | undefined> => {
    if (!staged.has(ref.value)) return inTable(owner) ? untouched(await base.find(kind, ref, owner)) : undefined;
    const here = staged.get(ref.value);
    const isHere = here?.kind === kind && (owner === undefined || !KINDS[kind].owned || ownerOf(here) === owner);
    return isHere ? here : undefined;
  };

  const find = async (kind: KindName, ref: Ref, owner?: string): Promise<AnyObject | undefined> => {
    if (ref.model !== undefined && ref.model !== base.ledgerId) return undefined;
    if (ref.scheme === "id") return byId(kind, ref, owner);
    if (ref.group === undefined) return atKey(kind, owner, ref.value);
    const group = await atKey("tag_group", undefined, ref.group);
    return group && atKey(kind, group.id, ref.value);
  };

  const list = async (kind: KindName, owner: string | undefined, page: Page): Promise<Rows<AnyObject>> => {
    if (staged.isGone(owner)) return { items: [] };
    const limit = page.limit ?? Number.POSITIVE_INFINITY;
    const here = staged.ofKind(kind, owner).filter(({ key }) => page.after === undefined || key > page.after);
    // As many more rows as are staged, so that those hidden here cannot make the page short.
    const more = { ...page, ...(page.limit !== undefined && { limit: page.limit + staged.count() + 1 }) };
    const rows = inTable(owner) ? await base.list(kind, owner, more) : { items: [] };
    const { next } = rows;
    const merged = [
      ...rows.items.filter((object) => untouched(object)),
      ...here.filter(({ key }) => next === undefined || key <= next),
    ].sort(byKey);
    const items = merged.slice(0, limit);
    const last = items.at(-1);
    return { items, ...(merged.length > limit && last && { next: last.key }) };
  };

  const merged = (objects: Iterable<AnyObject>): AnyObject[] => [
    ...[...objects].filter((object) => untouched(object)),
    ...staged.all(),
  ];

  const checkKey = async (change: Change): Promise<void> => {
    // The key of a model is not unique in the model.
    if (change.does === "delete" || change.after.kind === "model") return;
    const { kind, key, id } = change.after;
    if (change.does === "update" && change.before.key === key) return;
    const holder = await atKey(kind, KINDS[kind].owned ? ownerOf(change.after) : undefined, key);
    if (holder && holder.id !== id) throw keyTaken(change.after);
  };

  return {
    base,
    begun,
    staged,
    ledgerId: base.ledgerId,
    get modelKey() {
      return staged.get(base.ledgerId)?.key ?? base.modelKey;
    },
    get revision() {
      return base.revision + (staged.count() > 0 ? 1 : 0);
    },
    stage: async (changes) => {
      for (const change of changes) {
        await checkKey(change);
        staged.apply(change);
      }
    },
    // The root of a model is a model; the kinds below are those asked for.
    model: async () => (staged.get(base.ledgerId) as Model | undefined) ?? base.model(),
    find: async <N extends KindName>(kind: N, ref: Ref, owner?: string) =>
      (await find(kind, ref, owner)) as ObjectByKind[N] | undefined,
    list: async <N extends KindName>(kind: N, owner?: string, page: Page = {}) =>
      (await list(kind, owner, page)) as Rows<AnyObject> as Rows<ObjectByKind[N]>,
    orphanAt: async <N extends KindName>(kind: N, key: string) => {
      if (begun || staged.at(kind, undefined, key)) return undefined;
      const left = await base.orphanAt(kind, key);
      if (left) return left;
      const object = await base.find(kind, { scheme: "key", value: key });
      return object && !staged.has(object.id) && staged.isGone(ownerOf(object)) ? object : undefined;
    },
    content: async (lookBack) => {
      const content = contentOf(merged(begun ? [] : objectsOf(await base.content(lookBack))));
      if (!content) throw new Problem("not_found", `no model ${base.modelKey}`);
      return content;
    },
    objects: async () => living(merged(begun ? [] : await base.objects())),
    preload: () => base.preload(),
    nextOrder: () => base.nextOrder(),
  };
}
