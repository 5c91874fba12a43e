/** A ref as the actions take it. */
export type RefText = `id:${string}` | `key:${string}`;

/** A text of an address as a ref; one that is none is sent as it is, and the service says what is wrong with it. */
export const refOf = (text: string): RefText => text as RefText;

/** The ref by key, which people can read in an address. */
export const keyRef = (key: string): RefText => `key:${key}`;
