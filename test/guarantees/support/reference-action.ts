import type { Person } from "./reference-people.ts";
import { Refusal } from "./reference-problem.ts";
import {
  named,
  type RefAttribute,
  type RefEntity,
  type RefModel,
  type RefState,
  type RefType,
} from "./reference-state.ts";

/** One declared parameter, by the id of its type as `inspect_type_system` lists it. */
export interface RefParam {
  readonly type: string;
  readonly required: boolean;
  readonly aliases: readonly string[];
}

export const need = (type: string, ...aliases: string[]): RefParam => ({ type, required: true, aliases });
/** May be left out; where the action sets a value, leaving it out clears it. */
export const may = (type: string, ...aliases: string[]): RefParam => ({ type, required: false, aliases });

/** Checked parameters: absent ones are not there. */
export type RefInput = Readonly<Record<string, unknown>>;

/** What an action is asked: the objects its refs name, the other parameters, and who asks. */
export interface Asked {
  readonly state: RefState;
  readonly input: RefInput;
  readonly person: Person | undefined;
  readonly newId: () => string;
  /** A cursor for the rows after a key. */
  readonly cursorAfter: (key: string) => string;
  readonly model: RefModel;
  readonly type: RefType;
  readonly entity: RefEntity;
  readonly attribute: RefAttribute;
}

/** One row of the changes a dry run shows. */
export interface RefChange {
  readonly change: "create" | "update" | "delete";
  readonly kind: "model" | "type" | "entity" | "attribute";
  readonly id: string;
  readonly key: string;
}

/** What a write has decided; nothing happens before `apply`. */
export interface RefWrite {
  readonly does: "write";
  /** The object addressed or made, under the key it has afterwards. */
  readonly subject: { readonly id: string; readonly key: string };
  readonly model: { readonly id: string; readonly revision: number };
  readonly changes: readonly RefChange[];
  readonly apply: () => void;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface RefRead {
  readonly does: "read";
  readonly body: unknown;
  readonly next?: string;
}

/** What one action does, said once more from the contract. */
export interface RefAction {
  /** `public`, `signed_in` or a permission. */
  readonly rule: string;
  readonly writes: boolean;
  readonly params: Readonly<Record<string, RefParam>>;
  readonly run: (asked: Asked) => RefWrite | RefRead;
}

/** The answer a call has to get. Ids in it are the reference's own. */
export interface ExpectedAnswer {
  readonly body: unknown;
  /** Undefined where there must be none. */
  readonly etag: unknown;
  readonly next?: string;
  readonly replayed?: true;
  readonly notModified?: true;
}

export type Expected = { readonly answer: ExpectedAnswer } | { readonly refusal: Refusal };

/** Something of which only a property is known; `check` says what is wrong with the actual value. */
export class Like {
  readonly what: string;
  readonly check: (
    actual: unknown,
    differs: (expected: unknown, actual: unknown) => string | undefined,
  ) => string | undefined;

  constructor(what: string, check: Like["check"]) {
    this.what = what;
    this.check = check;
  }
}

/** The object a ref among the parameters names; `not_found` that names the ref. */
export function needNamed<T extends { readonly id: string; readonly key: string }>(
  objects: Iterable<T>,
  ref: unknown,
): T {
  const found = named(objects, String(ref));
  if (found) return found;
  throw new Refusal("not_found", { mentions: [String(ref)] });
}
