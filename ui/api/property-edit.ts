import type { PropertyValue } from "./properties.ts";
import { useMay } from "./rights.ts";
import type { ActionName, InputOf, OutputOf } from "./service.ts";
import type { ReadObject } from "./text-edit.ts";
import { useValueSaver } from "./value-edit.ts";
import { useWrite } from "./writes.ts";

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
          written: (next) => ({ ...refs, property, value: next }) as unknown as InputOf<W>,
        },
        value,
        base,
      ),
    remove: async (property) =>
      void (await removing.mutateAsync({ input: { ...refs, property } as unknown as InputOf<D> })),
  };
}
