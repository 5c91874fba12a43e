import type { Commit } from "./store.ts";
import type { View } from "./view.ts";

/** Something that went with a deleted object, or a key that lost a deleted attribute. */
export interface RemovedRow {
  readonly kind: "primary_key" | "business_key" | "relationship_role" | "attribute";
  readonly id: string;
  readonly key: string;
  readonly attributes?: readonly string[];
  readonly remains?: true;
}

/** The decision of a write: the object it concerns, the commit to make, and the members to add to the standard answer. */
export interface Decision extends Commit {
  /** The object addressed or made. */
  readonly subject: { readonly id: string; readonly key: string };
  /** The model to write to where that is not the model addressed: one that begins with this call. */
  readonly begins?: View;
  /** Members of the answer beside `status`, `id`, `key`, `revision` and `changed`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Further members of the answer of a dry run. */
  readonly rehearsed?: Readonly<Record<string, unknown>>;
  /** All objects that go with the deleted one; the answer lists as many of them as there is place for. */
  readonly removed?: readonly RemovedRow[];
  /** Secret members of the answer, which a dry run does not give and nothing keeps; only with `answersSecret`. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
  /** True where what was asked for holds secrets, which no job may keep. */
  readonly holdsSecrets?: boolean;
  /** The answer in the place of the standard one, of an action that may concern many models. */
  readonly custom?: CustomAnswer;
}

/** An answer that an action makes itself. */
export interface CustomAnswer {
  /** True where it holds for the next revision of the model alone. */
  readonly isFixed: boolean;
  /** The answer where the model written to, the first one of several, comes to a revision. */
  readonly at: (revision: number) => { readonly body: Readonly<Record<string, unknown>>; readonly etag?: string };
}

/** The answer of a read; `next` is the key after which the list goes on. */
export type Reading = ReadBody & {
  readonly next?: string;
  /** In the place of the entity tag of the model as it is when it answers; without quotes. */
  readonly etag?: string;
};

/** `showsRevision`: the body gets the member `revision`, that of the addressed model as it is when it answers. */
type ReadBody =
  | { readonly body: unknown; readonly showsRevision?: undefined }
  | { readonly body: Readonly<Record<string, unknown>>; readonly showsRevision: true };
