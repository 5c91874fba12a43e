/**
 * The JSON pointer (RFC 6901) of the first string, or the owner of the first member name, that holds a lone surrogate
 * and so is no well-formed Unicode; undefined when all of them are. The whole value has the pointer `""`.
 */
export function firstIllFormed(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [member, inner] of Object.entries(value)) {
    if (!member.isWellFormed()) return "";
    const found = firstIllFormed(inner);
    if (found !== undefined) return `/${pointerToken(member)}${found}`;
  }
  return undefined;
}

/** One reference token of a JSON pointer, with `~` and `/` escaped. */
export function pointerToken(member: PropertyKey): string {
  return String(member).replaceAll("~", "~0").replaceAll("/", "~1");
}
