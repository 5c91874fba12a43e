import { useQueryClient } from "@tanstack/react-query";
import { type Answer, ApiProblem } from "../../client/create-client.ts";
import { buildReadQuery, readKey } from "./reads.ts";
import { useMay } from "./rights.ts";
import type { ActionName, InputOf, OutputOf } from "./service.ts";
import { invalidateModel, sendWrite, useWrite } from "./writes.ts";

/** Another person changed the value after its editing began. */
export class ValueConflict<V> extends Error {
  override readonly name = "ValueConflict";
  readonly theirs: V;

  constructor(value: V) {
    super("Another person changed the value.");
    this.theirs = value;
  }
}

/** A text of an object, the permission to change it, and the function that saves it. */
export interface TextEdit {
  readonly value: string;
  readonly mayEdit: boolean;
  /** Throws `ValueConflict` if the stored text differs from `base`, `ApiProblem` for any other refusal. */
  save(text: string, base: string): Promise<void>;
}

type SavedText<R extends ActionName, W extends ActionName> = Omit<SavedValue<R, W, string>, "pick"> & {
  readonly pick: (body: OutputOf<R>) => string | null | undefined;
};

/** Edits a text of an object in place; the new text is shown at once and reverted if it is refused. */
export function useTextEdit<R extends ActionName, W extends ActionName>(saved: SavedText<R, W>): TextEdit {
  const { read, input, write } = saved;
  const may = useMay();
  const answer = useQueryClient().getQueryData<Answer<OutputOf<R>>>(readKey(read, input as object));
  const pick = (body: OutputOf<R>) => saved.pick(body) ?? "";
  const save = useSave({ ...saved, pick });
  return { value: answer ? pick(answer.body) : "", mayEdit: may(write), save };
}

/** An object in the answer of an action. */
export interface ReadObject<R extends ActionName, Refs> {
  readonly read: R;
  readonly input: InputOf<R>;
  readonly refs: Refs;
}

/** Edits a text member of an object, which one action writes as `value`. */
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

/** A key of an object, the action that changes it, and the navigation after the change. */
export interface SavedKey<W extends ActionName> {
  readonly value: string;
  readonly ifMatch: string | undefined;
  readonly write: W;
  readonly toInput: (key: string) => InputOf<W>;
  /** Opens the address with the new key; called before the data under the old key is read again. */
  readonly openNewKey: (key: string) => void | Promise<void>;
}

/** Edits a key in place, then opens the address with the new key. */
export function useKeyEdit<W extends ActionName>(saved: SavedKey<W>): TextEdit {
  const { value, ifMatch, write, toInput, openNewKey } = saved;
  const client = useQueryClient();
  const may = useMay();
  const save = async (key: string) => {
    const input = toInput(key) as object;
    await sendWrite(write, { input, ifMatch });
    await openNewKey(key);
    await invalidateModel(client, "modelRef" in input ? String(input.modelRef) : undefined);
  };
  return { value, mayEdit: may(write), save };
}

interface ValueAccess<R extends ActionName, W extends ActionName, V> {
  readonly pick: (body: OutputOf<R>) => V;
  /** Shows the new value at once; without it, the value appears after the next read. */
  readonly put?: (body: OutputOf<R>, value: V) => OutputOf<R>;
  readonly toInput: (value: V) => InputOf<W>;
}

/** A value in the answer of an action, and the action that writes it. */
interface SavedValue<R extends ActionName, W extends ActionName, V> extends ValueAccess<R, W, V> {
  readonly read: R;
  readonly input: InputOf<R>;
  readonly write: W;
}

/** Throws `ValueConflict` if the stored value differs from `base`, `ApiProblem` for any other refusal. */
type ValueSaver<R extends ActionName, W extends ActionName> = <V>(
  access: ValueAccess<R, W, V>,
  value: V,
  base: V,
) => Promise<void>;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Returns a function that saves values of one answer with its revision as precondition. */
export function useValueSaver<R extends ActionName, W extends ActionName>(
  read: R,
  input: InputOf<R>,
  write: W,
): ValueSaver<R, W> {
  const client = useQueryClient();
  const mutation = useWrite(write);
  const key = readKey(read, input as object);
  return async ({ pick, put, toInput }, value, base) => {
    const send = async (ifMatch: string | undefined) => {
      await client.cancelQueries({ queryKey: key, exact: true });
      const before = client.getQueryData<Answer<OutputOf<R>>>(key);
      if (before && put) client.setQueryData(key, { ...before, body: put(before.body, value) });
      try {
        await mutation.mutateAsync({ input: toInput(value), ifMatch });
      } catch (error) {
        if (put) client.setQueryData(key, before);
        throw error;
      }
    };
    const cachedAnswer = client.getQueryData<Answer<OutputOf<R>>>(key);
    if (cachedAnswer && !isSame(pick(cachedAnswer.body), base)) throw new ValueConflict(pick(cachedAnswer.body));
    try {
      await send(cachedAnswer?.etag);
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== "precondition_failed") throw error;
      const newest = await client.fetchQuery({ ...buildReadQuery(read, input), staleTime: 0 });
      const remoteValue = pick(newest.body);
      if (!isSame(remoteValue, base)) throw new ValueConflict(remoteValue);
      // Only other parts of the model changed, so the save is repeated.
      await send(newest.etag);
    }
  };
}

/** Returns a function that saves one value of an answer; see `useValueSaver`. */
export function useSave<R extends ActionName, W extends ActionName, V>(
  value: SavedValue<R, W, V>,
): (next: V, base: V) => Promise<void> {
  const save = useValueSaver(value.read, value.input, value.write);
  return (next, base) => save(value, next, base);
}

/** Writes the properties of an object. */
export interface PropertyEdit {
  /** Sets a property; `base` is the value that the person saw, undefined for a new property. */
  readonly save: (name: string, value: PropertyValue, base: unknown) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

/** Edits properties in place; undefined if not permitted. */
export function usePropertyEdit<R extends ActionName, W extends ActionName, D extends ActionName>(
  { read, input, refs }: ReadObject<R, Omit<InputOf<W> & InputOf<D>, "property" | "value">>,
  update: W,
  remove: D,
): PropertyEdit | undefined {
  const may = useMay();
  const saveValue = useValueSaver(read, input, update);
  const removal = useWrite(remove);
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
      void (await removal.mutateAsync({ input: { ...refs, property } as unknown as InputOf<D> })),
  };
}

/** Value of a property: any JSON. */
export type PropertyValue = InputOf<"model/entity_update_property">["value"];
