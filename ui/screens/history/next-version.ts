import type { Impact } from "../../parts/changed/impacts.ts";

/** The part of a version that rises. */
export type Rise = "major" | "minor" | "patch";

/** The parts of a version, the most telling first. */
export const RISES: readonly Rise[] = ["major", "minor", "patch"];

const RISE_OF: Readonly<Record<Impact, Rise>> = { breaking: "major", additive: "minor", cosmetic: "patch" };

/** The part that has to rise for what changed: that of the gravest difference, the last one where nothing changed. */
export function riseFor(counts: Readonly<Record<Impact, number>>): Rise {
  const gravest = (["breaking", "additive", "cosmetic"] as const).find((impact) => counts[impact] > 0);
  return gravest ? RISE_OF[gravest] : "patch";
}

/**
 * The next version after one, by Semantic Versioning; undefined of a text that is no version. A pre-release is followed by
 * the release it came before, where that rises as much.
 */
export function nextVersion(version: string, rise: Rise): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/.exec(version);
  if (!match) return undefined;
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isBefore = match[4] !== undefined;
  if (rise === "major") return isBefore && minor === 0 && patch === 0 ? `${major}.0.0` : `${major + 1}.0.0`;
  if (rise === "minor") return isBefore && patch === 0 ? `${major}.${minor}.0` : `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${isBefore ? patch : patch + 1}`;
}
