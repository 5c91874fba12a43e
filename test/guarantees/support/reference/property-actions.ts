import { type Asked, need, type RefAction } from "./action.ts";
import { misfitOf } from "./definitions.ts";
import { badParameters, Refusal } from "./problem.ts";
import { fits, ordered, type RefProperties } from "./properties.ts";
import type { RefChange } from "./write-result.ts";
import { fieldsSet } from "./writes.ts";

interface Holder {
  readonly id: string;
  readonly key: string;
  properties?: RefProperties | undefined;
}

interface OfHolder {
  readonly rule: string;
  readonly params: RefAction["params"];
  readonly kind: RefChange["kind"];
  readonly objectOf: (asked: Asked) => Holder;
  /** The ledger that the change is written to: the model unless given. */
  readonly ledgerOf?: (asked: Asked) => Asked["model"] | Asked["state"]["tags"];
}

/** The actions that give an object a property or take one from it. */
export function propertyActions(begin: string, of: OfHolder): Readonly<Record<string, RefAction>> {
  const { rule, kind, objectOf, ledgerOf = ({ model }: Asked) => model } = of;
  const params = { ...of.params, property: need("PropertyName") };
  const set = (asked: Asked, all: RefProperties) => {
    const properties = Object.keys(all).length === 0 ? undefined : (ordered(all) as RefProperties);
    return fieldsSet(ledgerOf(asked), kind, objectOf(asked), { properties });
  };
  const without = ({ properties = {} }: Holder, name: unknown) =>
    Object.fromEntries(Object.entries(properties).filter(([one]) => one !== name));
  return {
    [`${begin}_update_property`]: {
      rule,
      writes: true,
      params: { ...params, value: need("PropertyValue") },
      run: (asked) => {
        const { property, value } = asked.input;
        const holder = objectOf(asked);
        const all = Object.fromEntries([...Object.entries(without(holder, property)), [String(property), value]]);
        if (!fits(all)) throw new Refusal("too_large", { mentions: [holder.key] });
        const write = set(asked, all);
        const place = write.changes.length > 0 ? misfitOf(asked.definitions, kind, String(property), value) : undefined;
        if (place !== undefined) throw badParameters(`/value${place}`);
        return write;
      },
    },
    [`${begin}_delete_property`]: {
      rule,
      writes: true,
      params,
      run: (asked) => set(asked, without(objectOf(asked), asked.input.property)),
    },
  };
}
