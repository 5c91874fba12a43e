import { useActionEntries } from "./action-entries.ts";
import type { PaletteSource } from "./palette-source.ts";
import { usePlaceEntries } from "./place-entries.ts";

/** What the palette finds in, in the order of its groups; a hook each, one line to add one. */
export const PALETTE_SOURCES: readonly PaletteSource[] = [usePlaceEntries, useActionEntries];
