import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Answer, ApiProblem } from "../../client/create-client.ts";
import { buildReadQuery, readKey } from "./reads.ts";
import { useMay } from "./rights.ts";
import type { ActionName, InputOf, OutputOf } from "./service.ts";
import { forgetModel, sendWrite, useWrite, type Writing } from "./writes.ts";

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
  readonly toInput: (text: string) => InputOf<W>;
}

/** How a text of an object that was read is edited in place: shown at once, taken back when it is refused. */
export function useTextEdit<R extends ActionName, W extends ActionName>(place: TextPlace<R, W>): TextEdit {
  const { read, input, pick, put, write, toInput } = place;
  const known = useQueryClient().getQueryData<Answer<OutputOf<R>>>(readKey(read, input as object));
  const saveValue = useValueSaver(read, input, write);
  const text = (body: OutputOf<R>): string => pick(body) ?? "";
  const save = async (value: string, base: string): Promise<void> => {
    try {
      await saveValue({ pick: text, put, toInput }, value, base);
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
    toInput: (value) => ({ ...refs, value }) as unknown as InputOf<W>,
  });
}

/** A key of an object, what changes it, and what to do when it is another. */
export interface KeyPlace<W extends ActionName> {
  readonly value: string;
  /** The entity tag of the answer in which the key was seen. */
  readonly ifMatch: string | undefined;
  readonly write: W;
  readonly toInput: (key: string) => InputOf<W>;
  /** Goes to the address with the new key; what was read under the old one is not read again before. */
  readonly openNewKey: (key: string) => void | Promise<void>;
}

/** How the key of an object is edited in place: the page goes on at the address that the new key makes. */
export function useKeyEdit<W extends ActionName>(place: KeyPlace<W>): TextEdit {
  const { value, ifMatch, write, toInput, openNewKey } = place;
  const client = useQueryClient();
  const save = async (key: string): Promise<void> => {
    const input = toInput(key) as object;
    await sendWrite(write, { input, ifMatch });
    await openNewKey(key);
    await forgetModel(client, "modelRef" in input ? String(input.modelRef) : undefined);
  };
  return { value, save };
}

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
interface ValuePlace<R extends ActionName, W extends ActionName, V> {
  /** The value in what was read. */
  readonly pick: (body: OutputOf<R>) => V;
  /** What was read, with another value in it, to be shown at once; without it the newest is shown when it is read again. */
  readonly put?: (body: OutputOf<R>, value: V) => OutputOf<R>;
  /** What the write takes for a value. */
  readonly toInput: (value: V) => InputOf<W>;
}

/**
 * Saves a value that was made of `base`. Throws `ValueConflict` where the value is another by now, `ApiProblem` for every
 * other refusal.
 */
type ValueSaver<R extends ActionName, W extends ActionName> = <V>(
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
  { pick, put, toInput }: ValuePlace<R, W, V>,
  value: V,
  base: V,
): Promise<void> {
  const key = readKey(read, input as object);
  const send = async (ifMatch: string | undefined): Promise<void> => {
    await client.cancelQueries({ queryKey: key, exact: true });
    const before = client.getQueryData<Answer<OutputOf<R>>>(key);
    if (before && put) client.setQueryData(key, { ...before, body: put(before.body, value) });
    try {
      await writing.mutateAsync({ input: toInput(value), ifMatch });
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
    const newest = await client.fetchQuery({ ...buildReadQuery(read, input), staleTime: 0 });
    const theirs = pick(newest.body);
    if (!isSame(theirs, base)) throw new ValueConflict(theirs);
    // The model moved on elsewhere: there is nothing to choose.
    await send(newest.etag);
  }
}

/** How the properties of an object are written. */
export interface PropertyEdit {
  /** Gives a property a value; `base` is the one that the person saw, undefined for a new property. */
  readonly save: (name: string, value: PropertyValue, base: unknown) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

/** How the properties of an object that was read are edited in place; undefined where the person may not. */
export function usePropertyEdit<R extends ActionName, W extends ActionName, D extends ActionName>(
  { read, input, refs }: ReadObject<R, Omit<InputOf<W> & InputOf<D>, "property" | "value">>,
  update: W,
  remove: D,
): PropertyEdit | undefined {
  const may = useMay();
  const saveValue = useValueSaver(read, input, update);
  const removing = useWrite(remove);
  if (!may(update)) return undefined;
  const pick = (body: OutputOf<R>, name: string): unknown =>
    (body as { readonly properties?: Readonly<Record<string, unknown>> }).properties?.[name];
  return {
    save: (property, value, base) =>
      saveValue<unknown>(
        {
          pick: (body) => pick(body, property),
          toInput: (next) => ({ ...refs, property, value: next }) as unknown as InputOf<W>,
        },
        value,
        base,
      ),
    remove: async (property) =>
      void (await removing.mutateAsync({ input: { ...refs, property } as unknown as InputOf<D> })),
  };
}

/** The value of a property: any JSON. */
export type PropertyValue = InputOf<"model/entity_update_property">["value"];
