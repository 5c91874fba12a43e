import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import {
  type KeyPlace,
  type TextEdit,
  useKeyEdit,
  useMemberEdit,
  useValueSaver,
  ValueConflict,
} from "../../api/edits.ts";
import { readKey, useRead } from "../../api/reads.ts";
import { type RefText, toRef } from "../../api/refs.ts";
import { useWords } from "../../words/words.ts";

/** Returns the input of the attribute list. All components use the same one, so they share the cache. */
export const getListInput = (owner: AttributeOwner) => ({ ...getOwnerRefs(owner), expand: "keys" as const });

/** Reads the attributes of an owner in declared order. */
export const useAttributes = (owner: AttributeOwner) => useRead(getAttributeActions(owner).list, getListInput(owner));

/** Returns the cache key of the attribute list. */
export const getListKey = (owner: AttributeOwner) => readKey(getAttributeActions(owner).list, getListInput(owner));

type List = { items: Attribute[] };

const pickAttribute =
  <V>(id: string, pick: (attribute: Attribute) => V, missing: V) =>
  (body: List): V => {
    const found = body.items.find((row) => row.id === id);
    return found ? pick(found) : missing;
  };

const replaceAttribute = (body: List, id: string, part: Partial<Attribute>): List => ({
  ...body,
  items: body.items.map((row) => (row.id === id ? { ...row, ...part } : row)),
});

/** Functions that save a value of an attribute in the list. Each throws an error with a sentence on a conflict. */
export interface CellSaves {
  readonly key: (row: Attribute, text: string) => Promise<void>;
  readonly name: (row: Attribute, text: string) => Promise<void>;
  readonly description: (row: Attribute, text: string) => Promise<void>;
  /** Takes the key of a type. */
  readonly type: (row: Attribute, text: string) => Promise<void>;
  /** Takes `yes` or `no`. */
  readonly optional: (row: Attribute, text: string) => Promise<void>;
}

/** Returns the functions that save the cells of an attribute table. */
export function useCellSaves(owner: AttributeOwner): CellSaves {
  const say = useWords("structure");
  const actions = getAttributeActions(owner);
  const refs = getOwnerRefs(owner);
  const [read, input] = [actions.list, getListInput(owner)];
  const saveKey = useValueSaver(read, input, actions.updateKey);
  const saveName = useValueSaver(read, input, actions.updateName);
  const saveDescription = useValueSaver(read, input, actions.updateDescription);
  const saveType = useValueSaver(read, input, actions.updateType);
  const saveOptional = useValueSaver(read, input, actions.updateOptional);
  const describeConflict = async (save: Promise<void>): Promise<void> => {
    try {
      await save;
    } catch (error) {
      if (!(error instanceof ValueConflict)) throw error;
      throw new Error(say("changedTo", { value: String(error.theirs).replace(/^key:/, "") }));
    }
  };
  const getAttributeRefs = ({ id }: Attribute) => ({ ...refs, attributeRef: `id:${id}` as const });
  const createValuePlace = <V>(
    row: Attribute,
    pick: (attribute: Attribute) => V,
    missing: V,
    change: (value: V) => Partial<Attribute>,
  ) => ({
    pick: pickAttribute(row.id, pick, missing),
    put: (body: List, value: V) => replaceAttribute(body, row.id, change(value)),
    toInput: (value: V) => ({ ...getAttributeRefs(row), value }),
  });
  return {
    key: (row, text) =>
      describeConflict(
        saveKey(
          createValuePlace(
            row,
            ({ key }) => key,
            "",
            (key) => ({ key }),
          ),
          text,
          row.key,
        ),
      ),
    name: (row, text) => {
      const pick = ({ name }: Attribute): string => name ?? "";
      return describeConflict(
        saveName(
          createValuePlace(row, pick, "", (name) => ({ name })),
          text,
          pick(row),
        ),
      );
    },
    description: (row, text) => {
      const pick = ({ description }: Attribute): string => description ?? "";
      return describeConflict(
        saveDescription(
          createValuePlace(row, pick, "", (description) => ({ description })),
          text,
          pick(row),
        ),
      );
    },
    type: (row, text) => {
      const pick = ({ typeByKey }: Attribute): string => typeByKey ?? "";
      const toInput = (value: string) => ({ ...getAttributeRefs(row), value: toRef(value) });
      const type = { ...createValuePlace(row, pick, "", (typeByKey) => ({ typeByKey })), toInput };
      return describeConflict(saveType(type, `key:${text}`, pick(row)));
    },
    optional: (row, text) => {
      const flag = createValuePlace(
        row,
        ({ optional }) => optional,
        false,
        (optional) => ({ optional }),
      );
      return describeConflict(saveOptional(flag, text === "yes", row.optional));
    },
  };
}

/** Returns the input under which a single attribute is read. */
export const getAttributeInput = (owner: AttributeOwner, attributeRef: RefText) => ({
  ...getOwnerRefs(owner),
  attributeRef,
  expand: "keys" as const,
});

/** Edits the name and the key of an attribute; `openNewKey` opens the page under the new key. */
export function useAttributeTexts(
  owner: AttributeOwner,
  attributeRef: RefText,
  seen: { readonly key: string; readonly etag: string | undefined },
  moved: KeyPlace<"model/entity_attribute_update_key">["openNewKey"],
): { readonly name: TextEdit; readonly objectKey: TextEdit } {
  const actions = getAttributeActions(owner);
  const input = { ...getOwnerRefs(owner), attributeRef };
  const name = useMemberEdit(
    { read: actions.get, input: getAttributeInput(owner, attributeRef), refs: input },
    "name",
    actions.updateName,
  );
  const objectKey = useKeyEdit({
    value: seen.key,
    ifMatch: seen.etag,
    write: actions.updateKey,
    toInput: (value) => ({ ...input, value }),
    openNewKey: moved,
  });
  return { name, objectKey };
}
