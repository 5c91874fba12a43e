import type { CodeSplittingGroup } from "rolldown";

/** Files that screens share: a module goes into the first one that takes it. Other modules stay with their screen. */
export const CHUNKS: CodeSplittingGroup[] = [
  { name: "start", tags: ["$initial"] },
  { name: "common", minShareCount: 11 },
  { name: "parts", test: /[\\/]ui[\\/]/, minShareCount: 6 },
];
