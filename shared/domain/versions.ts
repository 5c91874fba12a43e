/** `MAJOR.MINOR.PATCH` with an optional pre-release, as Semantic Versioning 2.0 has it; build labels are not part of it. */
export const VERSION =
  /^(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?$/;

/** The version of a model that nobody gave one. */
export const FIRST_VERSION = "0.0.1";

/** True for a well-formed version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/**
 * Precedence of two well-formed versions as Semantic Versioning 2.0 section 11 has it: below 0 when `a` comes before `b`.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [i, n] of left.numbers.entries()) {
    const other = right.numbers[i] ?? 0;
    if (n !== other) return n - other;
  }
  // A version with a pre-release comes before the one without.
  if (left.labels.length === 0 || right.labels.length === 0) return right.labels.length - left.labels.length;
  for (const [i, label] of left.labels.entries()) {
    const other = right.labels[i];
    if (other === undefined) return 1;
    const order = compareLabels(label, other);
    if (order !== 0) return order;
  }
  return left.labels.length - right.labels.length;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly labels: readonly string[] } {
  const dash = version.indexOf("-");
  const core = dash < 0 ? version : version.slice(0, dash);
  return { numbers: core.split(".").map(Number), labels: dash < 0 ? [] : version.slice(dash + 1).split(".") };
}

/** Numbers in the order of their values and before words, words in ASCII order. */
function compareLabels(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
