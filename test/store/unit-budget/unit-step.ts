/** The budget of one call, exact, where every item has up to 1 kB. */
export interface UnitStep {
  readonly action: string;
  /** The circumstance that makes this call special. */
  readonly variant: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly headers?: { readonly idempotencyKey?: string; readonly dryRun?: boolean };
  /** Write request units. */
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

type Payload = UnitStep["payload"];
type Extra = Partial<Pick<UnitStep, "headers" | "refused" | "keep">>;

/** A step that calls an action on models. */
export const step = (
  action: string,
  variant: string,
  payload: Payload,
  [write, read, sequence]: readonly [write: number, read: number, sequence: number],
  extra: Extra = {},
): UnitStep => ({ action: `model/${action}`, variant, payload, write, read, sequence, ...extra });
