import type { ReactNode } from "react";

/** One thing that the palette can do. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** Beside the label: a key, a place. */
  readonly beside?: ReactNode;
  readonly icon?: ReactNode;
  readonly run: () => void;
}

/** The entries of one source under their heading. */
export interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** A hook that finds entries for what is typed; it is told an empty text when nothing is. */
export type PaletteSource = (typed: string) => PaletteGroup;
