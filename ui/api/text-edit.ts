import { useQueryClient } from "@tanstack/react-query";
import type { Answer } from "../../client/create-client.ts";
import { readKey } from "./reads.ts";
import type { ActionName, InputOf, OutputOf } from "./service.ts";
import { useValueSaver, ValueConflict } from "./value-edit.ts";

/** Somebody else changed the text since its editing began. */
export class TextConflict extends Error {
  override readonly name = "TextConflict";
  /** What it was when the editing began. */
  readonly base: string;
  /** What it is now. */
  readonly theirs: string;

  constructor(base: string, theirs: string) {
    super("the text was changed by somebody else");
    this.base = base;
    this.theirs = theirs;
  }
}

/** One text of an object, and how it is saved. */
export interface TextEdit {
  readonly value: string;
  /**
   * Saves a text that was made of `base`. Throws `TextConflict` where the text is another by now, `ApiProblem` for every
   * other refusal. An empty text clears it.
   */
  save(text: string, base: string): Promise<void>;
}

/** Which text it is: where it is read, and what writes it. */
export interface TextPlace<R extends ActionName, W extends ActionName> {
  readonly read: R;
  readonly input: InputOf<R>;
  /** The text in what was read. */
  readonly pick: (body: OutputOf<R>) => string | null | undefined;
  /** What was read, with another text in it. */
  readonly put: (body: OutputOf<R>, text: string) => OutputOf<R>;
  readonly write: W;
  /** What the write takes for a text. */
  readonly written: (text: string) => InputOf<W>;
}

/** How a text of an object that was read is edited in place: shown at once, taken back when it is refused. */
export function useTextEdit<R extends ActionName, W extends ActionName>(place: TextPlace<R, W>): TextEdit {
  const { read, input, pick, put, write, written } = place;
  const known = useQueryClient().getQueryData<Answer<OutputOf<R>>>(readKey(read, input as object));
  const saveValue = useValueSaver(read, input, write);
  const text = (body: OutputOf<R>): string => pick(body) ?? "";
  const save = async (value: string, base: string): Promise<void> => {
    try {
      await saveValue({ pick: text, put, written }, value, base);
    } catch (error) {
      throw error instanceof ValueConflict ? new TextConflict(base, String(error.theirs)) : error;
    }
  };
  return { value: known ? text(known.body) : "", save };
}

/** An object as one action answers it. */
export interface ReadObject<R extends ActionName, Refs> {
  readonly read: R;
  readonly input: InputOf<R>;
  /** The refs that its writes take. */
  readonly refs: Refs;
}

/** How a text is edited that is a member of an object, and that one action writes as the `value` beside the object's refs. */
export function useMemberEdit<R extends ActionName, W extends ActionName>(
  { read, input, refs }: ReadObject<R, Omit<InputOf<W>, "value">>,
  member: keyof OutputOf<R> & string,
  write: W,
): TextEdit {
  return useTextEdit({
    read,
    input,
    pick: (body) => body[member] as string | null | undefined,
    put: (body, text) => ({ ...(body as object), [member]: text }) as OutputOf<R>,
    write,
    written: (value) => ({ ...refs, value }) as unknown as InputOf<W>,
  });
}
