import { useActionEntries } from "./action-entries.ts";
import { useFoundEntries } from "./found-entries.ts";
import type { PaletteSource } from "./palette-source.ts";
import { usePlaceEntries } from "./place-entries.ts";
import { useRecentEntries } from "./recent-entries.ts";

/** What the palette finds in, in the order of its groups; a hook each, one line to add one. */
export const PALETTE_SOURCES: readonly PaletteSource[] = [
  useRecentEntries,
  usePlaceEntries,
  useFoundEntries,
  useActionEntries,
];
