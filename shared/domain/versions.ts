/** `MAJOR.MINOR.PATCH` with an optional pre-release, as Semantic Versioning 2.0 has it; build labels are not part of it. */
export const VERSION =
  /^(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})\.(0|[1-9]\d{0,9})(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?$/;

/** The version of a model that nobody gave one. */
export const FIRST_VERSION = "0.0.1";

/** True for a well-formed version. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}
