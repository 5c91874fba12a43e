import type { Location, ObjectType } from "../compare/difference.ts";

/** One thing that people and a source changed since the last import, each in another way. */
export interface Conflict extends Location {
  readonly objectType: ObjectType;
  /** `id:<uuid>`, or `key:<key>` of an object that the model does not have. */
  readonly ref: string;
  /** The member; null where one side deleted the object that the other one changed or uses. */
  readonly member: string | null;
  /** The value as it was imported last, as the model has it, and as the source has it; null for none. */
  readonly base: unknown;
  readonly ours: unknown;
  readonly theirs: unknown;
}
