import { useQueryClient } from "@tanstack/react-query";
import type { ActionName, InputOf } from "./service.ts";
import type { TextEdit } from "./text-edit.ts";
import { forgetModel, sendWrite } from "./writes.ts";

/** A key of an object, what changes it, and what to do when it is another. */
export interface KeyPlace<W extends ActionName> {
  readonly value: string;
  /** The entity tag of the answer in which the key was seen. */
  readonly ifMatch: string | undefined;
  readonly write: W;
  readonly written: (key: string) => InputOf<W>;
  /** Goes to the address with the new key; what was read under the old one is not read again before. */
  readonly moved: (key: string) => void | Promise<void>;
}

/** How the key of an object is edited in place: the page goes on at the address that the new key makes. */
export function useKeyEdit<W extends ActionName>(place: KeyPlace<W>): TextEdit {
  const { value, ifMatch, write, written, moved } = place;
  const client = useQueryClient();
  const save = async (key: string): Promise<void> => {
    const input = written(key) as object;
    await sendWrite(write, { input, ifMatch });
    await moved(key);
    await forgetModel(client, "modelRef" in input ? String(input.modelRef) : undefined);
  };
  return { value, save };
}
