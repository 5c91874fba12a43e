/** A state of a model in an address: a version as it is, a revision as `r5`; nothing for the newest state. */
export type MomentText = string;

/** A state of a model as actions take it. */
export interface Moment {
  readonly version?: string;
  readonly revision?: number;
}

/** Reads a state of a model from an address. */
export function momentOf(text: MomentText | undefined): Moment {
  if (text === undefined || text === "") return {};
  const [, revision] = /^r(\d{1,12})$/.exec(text) ?? [];
  return revision === undefined ? { version: text } : { revision: Number(revision) };
}

/** Writes a revision of a model for an address. */
export const revisionText = (revision: number): MomentText => `r${revision}`;
