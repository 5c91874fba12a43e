import { hashActorKey } from "../../domain/accounts/actors.ts";
import type { Kind, KindName } from "../../domain/kinds.ts";
import type { AnyObject, ObjectByKind } from "../../domain/model/objects.ts";
import { findBuiltIn } from "../../domain/model/property-definitions.ts";
import { BUILT_IN } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { createNoModelProblem, printRef, type Ref } from "../../domain/refs.ts";
import { type Action, type Decision, isWrite, mayRun, type Ports, type Reading } from "../contract/action.ts";
import { listExpansions } from "../contract/action-parameters.ts";
import type { Payload } from "../contract/call.ts";
import type { IsVisible, OpenOptions, Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";
import type { ActionCall, CallContext } from "./call-context.ts";
import type { Scoping } from "./caller-rights.ts";

/** The objects that the refs of a payload name: the target, and the object that contains it. */
export interface PathObjects {
  readonly target: AnyObject | undefined;
  readonly within: AnyObject | undefined;
}

/** Returns the object a ref names. Throws `not_found`. */
export async function requireRef<N extends KindName>(
  view: ReadView,
  kind: Kind<N>,
  ref: Ref,
  owner?: { readonly id: string; readonly key: string },
): Promise<ObjectByKind[N]> {
  const isDigest = kind.hasDigestKey && ref.scheme === "key";
  const stored = isDigest ? { ...ref, value: hashActorKey(BUILT_IN, ref.value) } : ref;
  const object = (await view.find(kind.name, stored, owner?.id)) ?? (kind.builtIn && findBuiltIn(ref));
  // The kind says that some of its objects are built in.
  if (object) return object as ObjectByKind[N];
  const scope = owner?.key ?? (kind.ledger === "model" ? `the model ${view.modelKey}` : undefined);
  throw new Problem("not_found", `no ${kind.noun} ${printRef(ref)}${scope === undefined ? "" : ` in ${scope}`}`);
}

/** Returns the view of the first ref's model, or of another ledger; undefined if none is addressed. */
export function openAddressed(
  action: Action,
  payload: Payload,
  store: Pick<Store, "open" | "openTags" | "openIdentity">,
  isShown?: Promise<IsVisible | undefined>,
  from?: OpenOptions,
): Promise<ReadView> | undefined {
  const [first] = payload.path;
  if (action.ledger === "tags" || first?.kind.ledger === "tags") return store.openTags();
  if (action.ledger === "identity" || first?.kind.ledger === "identity") return store.openIdentity();
  const findsDeleted = action.past === true || action.findsDeleted === true;
  return first && store.open(first.ref, isShown, { ...from, findsDeleted });
}

/**
 * Begins to open the ledger addressed while the caller is looked up. It is the only work that is done before a call is
 * authorized, and it saves one of two sequential requests to the table. It is safe for these reasons:
 * - Nothing that it reads is used before the caller may run the action, and then only if the model is visible to them.
 * - A model that is not visible is answered like one that does not exist, after the same requests: `Store.open` waits for
 *   `scoping` before it decides which of the two it is.
 * - What the process has cached must not show in the duration of a refusal. The cache is used early only for callers who had
 *   rights on all models a moment ago (`UnscopedCallers`); for all others `Store.open` waits for `scoping` first.
 */
export function prefetchAddressed(
  { action, controls }: ActionCall,
  payload: Payload,
  { store }: Ports,
  scoping: Promise<Scoping | undefined>,
  seesAll: boolean,
): Promise<ReadView> | undefined {
  const isShown = scoping.then((scope) => scope?.isShown);
  // The commit of a write finds out whether the revision is the newest, unless the caller named the revision.
  const mayAssume = isWrite(action) && controls.ifMatch.length === 0;
  const opening = openAddressed(action, payload, store, isShown, { mayAssume, seesAll });
  // The call awaits both promises later. Until then a failure must not count as unhandled.
  for (const promise of [isShown, opening]) promise?.catch(() => undefined);
  return opening;
}

/** Opens the ledger of an attempt, again for a write that had to wait. Throws `not_found` and `not_allowed`. */
export async function openForCall(
  context: CallContext,
  opening: Promise<ReadView> | undefined,
): Promise<ReadView | undefined> {
  const open = async (opened?: Promise<ReadView>) => checkFound(context, await openAllowed(context, opened));
  const view = await open(opening);
  const hasWaited = view && (await context.queueSlot?.waitIfBusy(view.ledgerId));
  return hasWaited ? open() : view;
}

/** Returns the view unless it is of a deleted model whose past only administrators may read. Throws `not_found`. */
function checkFound({ action, payload, call }: CallContext, view: ReadView | undefined): ReadView | undefined {
  const ref = payload.path[0]?.ref;
  if (!view?.deleted || !ref || action.findsDeleted || mayRun({ rule: "admin" }, call.principal)) return view;
  throw createNoModelProblem(ref);
}

/** Opens the ledger addressed, for a caller who may run the action on it. Throws `not_found` and `not_allowed`. */
export async function openAllowed(
  {
    action,
    payload,
    ports,
    scoping,
  }: Pick<CallContext, "action" | "payload" | "scoping"> & {
    readonly ports: { readonly store: Parameters<typeof openAddressed>[2] };
  },
  opening?: Promise<ReadView>,
): Promise<ReadView | undefined> {
  const ledger = opening ?? openAddressed(action, payload, ports.store);
  return scoping ? scoping.open(payload, ledger) : ledger;
}

/** The context that an action decides in, in addition to its payload. */
export type DecisionContext = Omit<Parameters<Action["run"]>[0], "input" | "target" | "within" | "view"> & {
  readonly view: ReadView | undefined;
  readonly accounts: () => Promise<ReadView>;
};

/** The decision of an action that writes, or the reading of any other action. */
export type DecisionOrReading =
  | { readonly decision: Decision; readonly reading?: undefined }
  | { readonly decision?: undefined; readonly reading: Reading };

/** Resolves the refs and has the action decide. Throws the problem of the action. */
export async function decide(action: Action, payload: Payload, context: DecisionContext): Promise<DecisionOrReading> {
  const { view, accounts: _, ...rest } = context;
  const objects = view ? await resolvePath(action, payload, view) : { target: undefined, within: undefined };
  // An action that addresses no model is typed without a view.
  const result = await action.run({ ...rest, ...objects, input: payload.input, view: view as ReadView });
  // `defineAction` ensures that an action that writes returns a decision, and any other one a reading.
  if (isWrite(action)) return { decision: result as Decision };
  const reading = result as Reading;
  const expansions = listExpansions(payload.input);
  if (expansions.size === 0) return { reading };
  // Most reads are by programs, which use ids.
  const { expandReading } = await import("./expand-reading.ts");
  return { reading: await expandReading(action, reading, expansions, context) };
}

/** Resolves the refs of a payload from the model inwards. Throws `not_found` for the first ref without an object. */
export async function resolvePath(action: Action, payload: Payload, view: ReadView): Promise<PathObjects> {
  let outer: AnyObject | undefined;
  let inner: AnyObject | undefined;
  for (const { kind, ref } of payload.path) {
    outer = inner;
    if (kind.name === "model") continue;
    inner = await requireRef(view, kind, ref, kind.owned ? outer : undefined);
  }
  if (action.within) return { target: undefined, within: inner };
  return { target: action.target?.name === "model" ? await view.readModel() : inner, within: outer };
}
