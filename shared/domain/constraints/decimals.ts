/** A number exactly as JSON writes it: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** True where a number is a whole multiple of another one, counted in decimals: 0.3 is three times 0.1. */
export function isMultiple(of: number, divisor: number): boolean {
  const [a, b] = [decimalOf(of), decimalOf(divisor)];
  const least = Math.min(a.exponent, b.exponent);
  return scaled(a, least) % scaled(b, least) === 0n;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, least: number): bigint {
  return digits * 10n ** BigInt(exponent - least);
}
