/**
 * List prices of AWS in dollars, US East (N. Virginia), without free tiers, as of `asOf`. A test compares them with
 * `docs/deploy.md`.
 */
export const PRICES = {
  asOf: "2026-11-23",
  /** A million calls of an HTTP API, up to 512 kB each. */
  apiCalls: 1,
  /** A million runs of a function. */
  lambdaRuns: 0.2,
  /** A second of a gigabyte of a function on arm64; the start is billed too. */
  lambdaGigabyteSecond: 0.0000133334,
  /** A million units of a table on demand. */
  readUnits: 0.125,
  writeUnits: 0.625,
  /** A gigabyte written to logs. */
  logGigabyte: 0.5,
} as const;

const GIGABYTE_IN_MEGABYTES = 1_024;

/** Returns the price of a million runs with this duration and memory, without the calls of the API. */
export function lambdaPrice(milliseconds: number, megabytes: number): number {
  const gigabyteSeconds = (megabytes / GIGABYTE_IN_MEGABYTES) * (milliseconds / 1_000) * 1_000_000;
  return PRICES.lambdaRuns + gigabyteSeconds * PRICES.lambdaGigabyteSecond;
}
