import type { KindName } from "../../../../shared/domain/kinds.ts";

export interface RefChange {
  readonly change: "create" | "update" | "delete";
  readonly kind: KindName;
  readonly id: string;
  readonly key: string;
}

/** The decision of a write; nothing happens before `apply`. */
export interface RefWrite {
  readonly does: "write";
  /** The object addressed or made, under the key it has afterwards. */
  readonly subject: { readonly id: string; readonly key: string };
  /** The model it is written to, or the tags of all models. */
  readonly ledger: Ledger;
  readonly changes: readonly RefChange[];
  readonly apply: () => void;
  /** True where it releases a version. */
  readonly releases?: true;
  /** What the history names as its source. */
  readonly source?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What only a dry run answers. */
  readonly preview?: Readonly<Record<string, unknown>>;
  readonly whole?: ManyObjectAnswer;
  /** The writes that a batch is made of, each with its action. */
  readonly entries?: readonly { readonly action: string; readonly write: RefWrite }[];
}

/** The objects that change under one revision: a model, or the tags of all models. */
export interface Ledger {
  readonly id: string;
  readonly revision: number;
}

export interface ManyObjectAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly recorded: Readonly<Record<string, unknown>>;
  readonly etag: string | undefined;
  readonly changed: boolean;
  /** The rows a dry run shows. */
  readonly rows: unknown;
}
