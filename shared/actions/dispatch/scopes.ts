import type { NamedModel } from "../../domain/key-pattern.ts";
import { isPermission, PERMISSIONS } from "../../domain/permissions.ts";
import type { Principal } from "../../domain/principal.ts";
import { Problem } from "../../domain/problems.ts";
import type { Ref } from "../../domain/refs.ts";
import { holdsOn } from "../../domain/scoped-rights.ts";
import type { Decision } from "../contract/decision.ts";
import type { Payload } from "../contract/payload.ts";
import type { Rule } from "../contract/rules.ts";
import type { IsShown, Store, Summary } from "../contract/store.ts";
import type { Page, Rows, View } from "../contract/view.ts";

/** The caller and the rule of the action, which together decide on the models that are shown to the call. */
export interface Viewer {
  readonly rule: Rule;
  readonly principal: Principal;
}

/** The models that a call may see and name, where its caller has rights on some models only. */
export interface Scoping {
  /** False for a model that the caller may neither read nor work on by this rule: for them it does not exist. */
  readonly isShown: IsShown;
  /** The store as the caller sees it. */
  store<S extends Opens>(store: S): S;
  /** The ledger a payload addresses, which was opened as it is shown: `not_allowed` where the caller may only read it. */
  open(payload: Payload, opening: Promise<View> | undefined): Promise<View | undefined>;
  /** Refuses keys of models that a decision takes and that are not the caller's to give: `not_allowed`. */
  checkNewKeys(decision: Decision): void;
}

type Opens = Pick<Store, "open"> & Partial<Pick<Store, "models">>;

export function createScoping(viewer: Viewer): Scoping {
  const isShown: IsShown = (model) => isShownTo(viewer, model);
  return {
    isShown,
    store: (store) => (seesAll(viewer) ? store : scopedStore(store, isShown)),
    open: async ({ path: [first] }, opening) => {
      const view = await opening;
      if (view && first?.kind.ledger === "model") checkOn(viewer, namesOf(view));
      return view;
    },
    // Changes alongside are in the ledger of tags, which has no models.
    checkNewKeys: ({ changes }) => {
      for (const change of changes) {
        if (change.does === "delete" || change.after.kind !== "model") continue;
        if (change.does === "update" && change.before.key === change.after.key) continue;
        checkOn(viewer, change.after);
      }
    },
  };
}

function scopedStore<S extends Opens>(store: S, isShown: IsShown): S {
  const { models } = store;
  return {
    ...store,
    shown: isShown,
    open: (ref: Ref) => store.open(ref, isShown),
    ...(models && { models: (page: Page = {}) => shownModels(models, page, isShown) }),
  };
}

function seesAll({ rule, principal }: Viewer): boolean {
  return (
    rule === "public" ||
    principal.permissions.has("model_read") ||
    (isPermission(rule) && principal.permissions.has(rule))
  );
}

function isShownTo(viewer: Viewer, model: NamedModel): boolean {
  const { rule, principal } = viewer;
  return (
    seesAll(viewer) ||
    holdsOn(principal, "model_read", model) ||
    (isPermission(rule) && holdsOn(principal, rule, model))
  );
}

function namesOf({ ledgerId: id, modelKey: key }: View): NamedModel {
  return { id, key };
}

function checkOn({ rule, principal }: Viewer, model: NamedModel): void {
  if (!isPermission(rule) || !PERMISSIONS[rule].ofModels) return;
  if (holdsOn(principal, rule, model)) return;
  throw new Problem("not_allowed", `This action needs the permission ${rule} on the model ${model.key}`);
}

/** A page of the models that are shown, as full as one of all models would be. */
async function shownModels(models: Store["models"], page: Page, isShown: IsShown): Promise<Rows<Summary>> {
  const { limit = Number.POSITIVE_INFINITY } = page;
  const items: Summary[] = [];
  let after = page.after;
  do {
    const rows = await models({ ...page, ...(after !== undefined && { after }) });
    items.push(...rows.items.filter(isShown));
    after = rows.next;
    // One more than asked for tells whether there is a next page.
  } while (after !== undefined && items.length <= limit);
  const last = items[limit - 1];
  return items.length > limit && last ? { items: items.slice(0, limit), next: last.key } : { items };
}
