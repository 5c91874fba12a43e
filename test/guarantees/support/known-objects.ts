import type { Kind } from "../../../shared/domain/kinds.ts";

/** An object that payloads can name, and what it lives in; a model lives in nothing. */
export interface Known {
  readonly kind: Kind;
  readonly id: string;
  readonly key: string;
  /** The object that this one lies in; for a tag of a group its group, though its refs name that themselves. */
  readonly within: Known | undefined;
}

/** The objects and values of a world that payloads can name. */
export interface WorldState {
  readonly objects: readonly Known[];
  /**
   * By the id of a parameter's type: values that mean something in this world alone, such as its users' names. Of a type of
   * keys: those that are taken, which are given now and then.
   */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
}

/** The parameters of a call as a JSON body holds them. */
export type PayloadJson = Readonly<Record<string, unknown>>;
