import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Answer, ApiProblem } from "../../client/create-client.ts";
import { readKey, readOf } from "./reads.ts";
import type { ActionName, InputOf, OutputOf } from "./service.ts";
import { useWrite, type Writing } from "./writes.ts";

/** Somebody else changed the value since its editing began. */
export class ValueConflict<V> extends Error {
  override readonly name = "ValueConflict";
  /** What it is now. */
  readonly theirs: V;

  constructor(theirs: V) {
    super("the value was changed by somebody else");
    this.theirs = theirs;
  }
}

/** One value in what was read, and how it is written. */
export interface ValuePlace<R extends ActionName, W extends ActionName, V> {
  /** The value in what was read. */
  readonly pick: (body: OutputOf<R>) => V;
  /** What was read, with another value in it, to be shown at once; without it the newest is shown when it is read again. */
  readonly put?: (body: OutputOf<R>, value: V) => OutputOf<R>;
  /** What the write takes for a value. */
  readonly written: (value: V) => InputOf<W>;
}

/**
 * Saves a value that was made of `base`. Throws `ValueConflict` where the value is another by now, `ApiProblem` for every
 * other refusal.
 */
export type ValueSaver<R extends ActionName, W extends ActionName> = <V>(
  place: ValuePlace<R, W, V>,
  value: V,
  base: V,
) => Promise<void>;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** How values in one answer are saved: under the revision that was seen, and again where the model moved elsewhere only. */
export function useValueSaver<R extends ActionName, W extends ActionName>(
  read: R,
  input: InputOf<R>,
  write: W,
): ValueSaver<R, W> {
  const client = useQueryClient();
  const writing = useWrite(write);
  return (place, value, base) => saveOver(client, read, input, writing, place, value, base);
}

async function saveOver<R extends ActionName, W extends ActionName, V>(
  client: QueryClient,
  read: R,
  input: InputOf<R>,
  writing: Writing<W>,
  { pick, put, written }: ValuePlace<R, W, V>,
  value: V,
  base: V,
): Promise<void> {
  const key = readKey(read, input as object);
  const send = async (ifMatch: string | undefined): Promise<void> => {
    await client.cancelQueries({ queryKey: key, exact: true });
    const before = client.getQueryData<Answer<OutputOf<R>>>(key);
    if (before && put) client.setQueryData(key, { ...before, body: put(before.body, value) });
    try {
      await writing.mutateAsync({ input: written(value), ifMatch });
    } catch (error) {
      if (put) client.setQueryData(key, before);
      throw error;
    }
  };
  const seen = client.getQueryData<Answer<OutputOf<R>>>(key);
  if (seen && !isSame(pick(seen.body), base)) throw new ValueConflict(pick(seen.body));
  try {
    await send(seen?.etag);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "precondition_failed") throw error;
    const newest = await client.fetchQuery({ ...readOf(read, input), staleTime: 0 });
    const theirs = pick(newest.body);
    if (!isSame(theirs, base)) throw new ValueConflict(theirs);
    // The model moved on elsewhere: there is nothing to choose.
    await send(newest.etag);
  }
}
