import { useQueryClient } from "@tanstack/react-query";
import { type Answer, ApiProblem } from "../../client/create-client.ts";
import { readKey, readOf } from "./reads.ts";
import type { ActionName, InputOf, OutputOf } from "./service.ts";
import { useWrite } from "./writes.ts";

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
  const client = useQueryClient();
  const key = readKey(read, input as object);
  const known = client.getQueryData<Answer<OutputOf<R>>>(key);
  const writing = useWrite(write);
  const save = async (text: string, base: string): Promise<void> => {
    const send = async (ifMatch: string | undefined): Promise<void> => {
      await client.cancelQueries({ queryKey: key, exact: true });
      const before = client.getQueryData<Answer<OutputOf<R>>>(key);
      if (before) client.setQueryData(key, { ...before, body: put(before.body, text) });
      try {
        await writing.mutateAsync({ input: written(text), ifMatch });
      } catch (error) {
        client.setQueryData(key, before);
        throw error;
      }
    };
    const seen = client.getQueryData<Answer<OutputOf<R>>>(key);
    const differs = seen && (pick(seen.body) ?? "") !== base;
    if (differs) throw new TextConflict(base, pick(seen.body) ?? "");
    try {
      await send(seen?.etag);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== "precondition_failed") throw error;
      const newest = await client.fetchQuery({ ...readOf(read, input), staleTime: 0 });
      const theirs = pick(newest.body) ?? "";
      if (theirs !== base) throw new TextConflict(base, theirs);
      // The model moved on elsewhere: there is nothing to choose.
      await send(newest.etag);
    }
  };
  return { value: (known && pick(known.body)) ?? "", save };
}
