import type { Person } from "./callers.ts";
import type { RefPast } from "./commits.ts";
import type {
  Named,
  RefAttribute,
  RefBusinessKey,
  RefDefinition,
  RefEntity,
  RefHolder,
  RefModel,
  RefRelationship,
  RefTag,
  RefTagGroup,
  RefTags,
  RefType,
} from "./objects.ts";
import { Refusal } from "./problem.ts";
import { named, type RefState } from "./state.ts";
import type { RefWrite } from "./write-result.ts";

/** One declared parameter, by the id of its type as `inspect_type_system` lists it. */
export interface RefParam {
  readonly type: string;
  readonly required: boolean;
}

export const need = (type: string): RefParam => ({ type, required: true });
/** May be left out; where the action sets a value, leaving it out clears it. */
export const may = (type: string): RefParam => ({ type, required: false });

/** Checked parameters: absent ones are not there. */
export type RefInput = Readonly<Record<string, unknown>>;

/** A revision that a caller names: the call is to happen at no other. */
export interface Pin {
  readonly ledgerId: string;
  readonly revision: number;
}

/** The question that an action is asked: the objects its refs name, the other parameters, and who asks. */
export interface Asked {
  readonly state: RefState;
  readonly input: RefInput;
  readonly person: Person | undefined;
  readonly pins: readonly Pin[];
  readonly newId: () => string;
  /** ISO 8601. */
  readonly time: string;
  /** A cursor for the rows after a place. */
  readonly cursorAfter: (place: string) => string;
  /** The tags of all models; asking for them makes the answer one of their revision too. */
  readonly tags: () => RefTags;
  /** The same where only the definitions of properties are looked at: of several models in one call they are one more. */
  readonly definitions: () => RefTags;
  readonly model: RefModel;
  readonly past: RefPast;
  readonly type: RefType;
  readonly entity: RefEntity;
  readonly relationship: RefRelationship;
  /** The entity or relationship of the attribute that is named, or made. */
  readonly holder: RefHolder;
  readonly attribute: RefAttribute;
  readonly businessKey: RefBusinessKey;
  readonly localTag: RefTag;
  readonly group: RefTagGroup;
  readonly globalTag: RefTag;
  readonly definition: RefDefinition;
}

export interface RefRead {
  readonly does: "read";
  readonly body: unknown;
  readonly next?: string;
  /** What it leaves, for a call that writes to no ledger. */
  readonly apply?: () => void;
  /** The entity tag of a past state, which never changes. */
  readonly etag?: string;
  /** True where the body has the revision of the model too. */
  readonly showsRevision?: true;
}

/** The behaviour of one action, said once more from the contract. */
export interface RefAction {
  /** `signed_in` or a permission. */
  readonly rule: string;
  readonly writes: boolean;
  /** Concerns the tags of all models, though no ref says so. */
  readonly ledger?: "tags";
  /** Concerns whatever models its parameters lead to, so that each may be pinned. */
  readonly manyModels?: true;
  /** Reads what was, so that an administrator reaches a deleted model by its id. */
  readonly past?: true;
  /** Also finds a deleted model by its id. */
  readonly findsDeleted?: true;
  /** No batch has it as an entry, though it concerns one model. */
  readonly alone?: true;
  readonly params: Readonly<Record<string, RefParam>>;
  /** Refuses parameters that do not go together, before any object is looked for. */
  readonly check?: (input: RefInput) => void;
  readonly run: (asked: Asked) => RefWrite | RefRead;
}

/** The object a ref among the parameters names; `not_found` that names the ref. */
export function needNamed<T extends Named>(objects: Iterable<T>, ref: unknown): T {
  const found = named(objects, String(ref));
  if (found) return found;
  throw new Refusal("not_found", { mentions: [String(ref)] });
}
