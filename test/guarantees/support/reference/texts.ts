import { type Asked, may, need, type RefAction, type RefInput } from "./action.ts";
import { misfitOf } from "./definitions.ts";
import type { RefType } from "./objects.ts";
import { badParameters, Refusal } from "./problem.ts";
import { fits, ordered, type RefProperties } from "./properties.ts";
import type { RefChange } from "./write-result.ts";
import { fieldsSet, keySet } from "./writes.ts";

/** Name and description, as every action takes them that makes an object. */
export const TEXTS = { name: may("TextSingleLine"), description: may("TextMarkdown") };

/** The name and description of an object, from the parameters of the action that makes it. */
export const described = (input: RefInput) => ({
  name: input.name as string | undefined,
  description: input.description as string | undefined,
});

interface Texted extends OfHolder {
  readonly keyType: string;
  readonly objectOf: (asked: Asked) => RefType;
  /** The objects among which its key is unique, itself included. */
  readonly siblingsOf: (asked: Asked) => readonly RefType[];
  /** True where the name cannot be cleared. */
  readonly hasName?: true;
}

/** The actions that give an object another key, name or description, and those on its properties. */
export function textActions(begin: string, of: Texted): Readonly<Record<string, RefAction>> {
  const { params, kind, keyType, objectOf, siblingsOf, ledgerOf = ({ model }: Asked) => model } = of;
  const { rule = "model_write" } = of;
  const update = (value: RefAction["params"][string], run: Run) => writeBy(rule, { ...params, value }, run);
  const name = of.hasName ? need("TextSingleLine") : may("TextSingleLine");
  return {
    [`${begin}_update_key`]: update(need(keyType), (asked) =>
      keySet(ledgerOf(asked), kind, objectOf(asked), siblingsOf(asked), asked.input.value),
    ),
    [`${begin}_update_name`]: update(name, (asked) =>
      fieldsSet(ledgerOf(asked), kind, objectOf(asked), { name: asked.input.value }),
    ),
    [`${begin}_update_description`]: update(may("TextMarkdown"), (asked) =>
      fieldsSet(ledgerOf(asked), kind, objectOf(asked), { description: asked.input.value }),
    ),
    ...propertyActions(begin, of),
  };
}

type Params = RefAction["params"];
type Run = RefAction["run"];

export const writeBy = (rule: string, params: Params, run: Run): RefAction => ({ rule, writes: true, params, run });
export const readBy = (rule: string, params: Params, run: Run): RefAction => ({ rule, writes: false, params, run });
export const write = (params: Params, run: Run): RefAction => writeBy("model_write", params, run);
export const read = (params: Params, run: Run): RefAction => readBy("model_read", params, run);

/** A read that answers this body. */
export const getBy = (rule: string, params: Params, bodyOf: (asked: Asked) => unknown): RefAction =>
  readBy(rule, params, (asked) => ({ does: "read", body: bodyOf(asked) }));
export const get = (params: Params, bodyOf: (asked: Asked) => unknown) => getBy("model_read", params, bodyOf);

type Holder = Pick<RefType, "id" | "key" | "properties">;

interface OfHolder {
  /** The permission to write models unless given. */
  readonly rule?: string;
  readonly params: RefAction["params"];
  readonly kind: RefChange["kind"];
  readonly objectOf: (asked: Asked) => Holder;
  /** The ledger that the change is written to: the model unless given. */
  readonly ledgerOf?: (asked: Asked) => Asked["model"] | Asked["state"]["tags"];
}

/** The actions that give an object a property or take one from it. */
export function propertyActions(begin: string, of: OfHolder): Readonly<Record<string, RefAction>> {
  const { rule = "model_write", kind, objectOf, ledgerOf = ({ model }: Asked) => model } = of;
  const params = { ...of.params, property: need("PropertyName") };
  const set = (asked: Asked, all: RefProperties) => {
    const properties = Object.keys(all).length === 0 ? undefined : (ordered(all) as RefProperties);
    return fieldsSet(ledgerOf(asked), kind, objectOf(asked), { properties });
  };
  const without = ({ properties = {} }: Holder, name: unknown) =>
    Object.fromEntries(Object.entries(properties).filter(([one]) => one !== name));
  return {
    [`${begin}_update_property`]: writeBy(rule, { ...params, value: need("PropertyValue") }, (asked) => {
      const { property, value } = asked.input;
      const holder = objectOf(asked);
      const all = Object.fromEntries([...Object.entries(without(holder, property)), [String(property), value]]);
      if (!fits(all)) throw new Refusal("too_large", { mentions: [holder.key] });
      const write = set(asked, all);
      const place = write.changes.length > 0 ? misfitOf(asked.definitions, kind, String(property), value) : undefined;
      if (place !== undefined) throw badParameters(`/value${place}`);
      return write;
    }),
    [`${begin}_delete_property`]: writeBy(rule, params, (asked) =>
      set(asked, without(objectOf(asked), asked.input.property)),
    ),
  };
}
