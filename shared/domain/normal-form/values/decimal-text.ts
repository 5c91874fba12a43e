/** Returns a decimal number in its shortest form, such as `0.5` for `.50`; undefined for a text that is not a number. */
export function toDecimalText(text: string): string | undefined {
  const [, sign = "", integer = "", fraction = "", exponent] =
    /^\s*([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d{1,4}))?\s*$/i.exec(text) ?? [];
  if (integer === "" && fraction === "") return undefined;
  if (exponent !== undefined) {
    const value = Number(text);
    return Number.isFinite(value) ? String(value) : undefined;
  }
  const digits = integer.replace(/^0+(?=\d)/, "") || "0";
  const rest = fraction.replace(/0+$/, "");
  const value = rest === "" ? digits : `${digits}.${rest}`;
  return sign === "-" && /[1-9]/.test(value) ? `-${value}` : value;
}

/** Returns the number of a decimal text if JSON can represent it exactly. */
export function readExactNumber(text: string): number | undefined {
  const decimal = toDecimalText(text);
  if (decimal === undefined) return undefined;
  const value = Number(decimal);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  const written = String(value);
  // A short number may be written with an exponent.
  return written === decimal || written.includes("e") ? value : undefined;
}
