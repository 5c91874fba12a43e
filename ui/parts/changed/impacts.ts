/** The three impacts of a difference, the gravest first. */
export const IMPACTS = ["breaking", "additive", "cosmetic"] as const;

export type Impact = (typeof IMPACTS)[number];
