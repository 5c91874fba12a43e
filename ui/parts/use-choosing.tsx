import { type ReactNode, useState } from "react";
import { ValueConflict } from "../api/value-edit.ts";
import { openedLater } from "./opened-later.tsx";

const ValueConflictDialog = openedLater(async () => (await import("./value-conflict.tsx")).ValueConflictDialog);

/** A save of a value that asks what to do where somebody else was faster. */
export interface Choosing<V> {
  /** Resolves when the value is saved, or when the person chose the other one; throws every other refusal. */
  readonly save: (value: V, base: V) => Promise<void>;
  /** The dialog while it is needed; to be drawn. */
  readonly dialog: ReactNode;
}

/**
 * Lets the person choose between two values when a save throws `ValueConflict`. `textOf` draws a value in the dialog.
 */
export function useChoosing<V>(
  title: string,
  saver: (value: V, base: V) => Promise<void>,
  textOf: (value: V) => string,
): Choosing<V> {
  const [open, setOpen] = useState<{ readonly theirs: V; readonly ours: V; readonly done: () => void }>();
  const save = async (value: V, base: V): Promise<void> => {
    try {
      await saver(value, base);
    } catch (error) {
      if (!(error instanceof ValueConflict)) throw error;
      const theirs: V = error.theirs;
      await new Promise<void>((done) => setOpen({ theirs, ours: value, done }));
    }
  };
  const end = (): void => {
    open?.done();
    setOpen(undefined);
  };
  const dialog = open && (
    <ValueConflictDialog
      title={title}
      theirs={textOf(open.theirs)}
      ours={textOf(open.ours)}
      keepTheirs={end}
      takeMine={async () => {
        await saver(open.ours, open.theirs);
        end();
      }}
    />
  );
  return { save, dialog };
}
