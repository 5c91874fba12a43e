/** The budget of one call, exact, where every item has up to 1 kB. */
export interface UnitStep {
  readonly action: string;
  /** The circumstance that makes this call special. */
  readonly variant: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly headers?: { readonly idempotencyKey?: string; readonly dryRun?: boolean };
  readonly write: number;
  /** Read request units, without the 2 of looking up the caller. */
  readonly read: number;
  /** Store calls one after the other; the caller is looked up beside the first. */
  readonly sequence: number;
  /** The problem code, for calls that are refused. */
  readonly refused?: string;
  /** Keeps the `id` of the answer under this name, for `$name` in later payloads. */
  readonly keep?: string;
}

/** The parameter of reads that adds keys and names. */
export const KEYS = { expand: "keys" };

export type Payload = UnitStep["payload"];
export type Units = readonly [write: number, read: number, sequence: number];
type Extra = Partial<Pick<UnitStep, "headers" | "refused" | "keep">>;

/** Returns a function that makes steps for the actions whose names begin with a prefix. */
export const createStep =
  (prefix: string) =>
  (action: string, variant: string, payload: Payload, [write, read, sequence]: Units, extra: Extra = {}): UnitStep => ({
    action: `${prefix}${action}`,
    variant,
    payload,
    write,
    read,
    sequence,
    ...extra,
  });

export const step = createStep("model/");
