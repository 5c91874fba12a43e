import { isFreeKey } from "./keys.ts";

/** A parsed ref: the scheme decides how the value is read. */
export interface Ref {
  readonly scheme: "id" | "key";
  readonly value: string;
  /** Key of the tag group, in the key of a global tag. */
  readonly group?: string;
  /** Id of the model, in the key of a local tag where that was given. */
  readonly model?: string;
}

/** A ref whose scheme callers may leave out. `bare` tells it apart for the compiler and is never there. */
export interface BareRef extends Ref {
  readonly bare?: true;
}

/** A scheme's own check: the fault of a value in words, or undefined when the value is well-formed. */
type SchemeCheck = (value: string) => string | undefined;

/** A UUID in either case, for patterns. */
export const UUID_PATTERN = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}";

const UUID = new RegExp(`^${UUID_PATTERN}$`);

/** The grammar of refs: a new scheme is one entry here. */
const SCHEMES: { readonly [S in Ref["scheme"]]: SchemeCheck } = {
  id: (value) => (UUID.test(value) ? undefined : `"${value}" is not a UUID`),
  key: (value) => (isFreeKey(value) ? undefined : `"${value}" cannot be a key`),
};

/** Reads `id:<uuid>` or `key:<key>`, split at the first colon and verbatim after it; answers a sentence when it is neither. */
export function parseRef(text: string): Ref | string {
  const colon = text.indexOf(":");
  const scheme = colon < 0 ? undefined : text.slice(0, colon);
  if (scheme === undefined || !Object.hasOwn(SCHEMES, scheme)) {
    return `"${text}" is not a ref; write id:<uuid> or key:<key>`;
  }
  const value = text.slice(colon + 1);
  const known = scheme as Ref["scheme"];
  const fault = SCHEMES[known](value);
  if (fault) return `${fault}; write id:<uuid> or key:<key>`;
  return { scheme: known, value: known === "id" ? value.toLowerCase() : value };
}

/** The ref as a caller writes it. */
export function printRef({ scheme, group, model, value }: Ref): string {
  const above = group === undefined ? (model === undefined ? "" : `model/${model}/`) : `${group}/`;
  return `${scheme}:${above}${value}`;
}
