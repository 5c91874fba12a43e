import { isPermission, PERMISSIONS } from "../domain/permissions.ts";
import type { Principal } from "../domain/principal.ts";
import { Problem } from "../domain/problems.ts";
import { printRef, type Ref } from "../domain/refs.ts";
import { holdsOn } from "../domain/scoped-rights.ts";
import type { Decision } from "./define-action.ts";
import type { Payload } from "./payload.ts";
import type { Rule } from "./rules.ts";
import type { Page, Rows, Store, Summary, View } from "./store.ts";

/** Who calls, and the rule of what they run: together they say which models there are for the call. */
export interface Beholder {
  readonly rule: Rule;
  readonly principal: Principal;
}

/** What a call may see and name, where its caller has rights on some models only. */
export interface Scoping {
  /** The store as the caller sees it: a model that they may neither read nor work on by this rule does not exist. */
  store<S extends Opens>(store: S): S;
  /**
   * The ledger a payload addresses, for a caller who may run the action there: `not_found` for a model they may not read,
   * in the words of one that does not exist, `not_allowed` where they may only read it.
   */
  open(payload: Payload, opening: Promise<View> | undefined): Promise<View | undefined>;
  /** Refuses keys of models that a decision takes and that are not the caller's to give: `not_allowed`. */
  checkNewKeys(decision: Decision): void;
}

type Opens = Pick<Store, "open"> & Partial<Pick<Store, "models">>;

export function createScoping(beholder: Beholder): Scoping {
  return {
    store: (store) => (seesAll(beholder) ? store : scopedStore(store, beholder)),
    open: async ({ path: [first] }, opening) => {
      const view = await opening;
      if (!view || first?.kind.ledger !== "model") return view;
      checkOn(beholder, shownView(view, first.ref, beholder).modelKey);
      return view;
    },
    checkNewKeys: ({ changes, alongside = [] }) => {
      for (const change of [changes, ...alongside.map((part) => part.changes)].flat()) {
        if (change.does === "delete" || change.after.kind !== "model") continue;
        if (change.does === "update" && change.before.key === change.after.key) continue;
        checkOn(beholder, change.after.key);
      }
    },
  };
}

function scopedStore<S extends Opens>(store: S, beholder: Beholder): S {
  const { models } = store;
  return {
    ...store,
    open: async (ref: Ref) => shownView(await store.open(ref), ref, beholder),
    ...(models && { models: (page: Page = {}) => shownModels(models, page, beholder) }),
  };
}

function seesAll({ rule, principal }: Beholder): boolean {
  return (
    rule === "public" ||
    principal.permissions.has("model_read") ||
    (isPermission(rule) && principal.permissions.has(rule))
  );
}

function isShown(beholder: Beholder, modelKey: string): boolean {
  const { rule, principal } = beholder;
  return (
    seesAll(beholder) ||
    holdsOn(principal, "model_read", modelKey) ||
    (isPermission(rule) && holdsOn(principal, rule, modelKey))
  );
}

function shownView(view: View, ref: Ref, beholder: Beholder): View {
  if (isShown(beholder, view.modelKey)) return view;
  throw new Problem("not_found", `no model ${printRef(ref)}`);
}

function checkOn({ rule, principal }: Beholder, modelKey: string): void {
  if (!isPermission(rule) || !PERMISSIONS[rule].ofModels) return;
  if (holdsOn(principal, rule, modelKey)) return;
  throw new Problem("not_allowed", `This action needs the permission ${rule} on the model ${modelKey}`);
}

/** A page of the models that are shown, as full as one of all models would be. */
async function shownModels(models: Store["models"], page: Page, beholder: Beholder): Promise<Rows<Summary>> {
  const { limit = Number.POSITIVE_INFINITY } = page;
  const items: Summary[] = [];
  let after = page.after;
  do {
    const rows = await models({ ...page, ...(after !== undefined && { after }) });
    items.push(...rows.items.filter(({ key }) => isShown(beholder, key)));
    after = rows.next;
    // One more than asked for tells whether there is a next page.
  } while (after !== undefined && items.length <= limit);
  const last = items[limit - 1];
  return items.length > limit && last ? { items: items.slice(0, limit), next: last.key } : { items };
}
