import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import {
  type SavedKey,
  type TextEdit,
  useKeyEdit,
  useMemberEdit,
  useValueSaver,
  ValueConflict,
} from "../../api/edits.ts";
import { readKey, useRead } from "../../api/reads.ts";
import { type RefText, toRef } from "../../api/refs.ts";
import { useWords } from "../../words/words.ts";

/** Returns the input of the attribute list, the same for all components, so that they share the cache. */
export const getListInput = (owner: AttributeOwner) => ({ ...getOwnerRefs(owner), expand: "keys" as const });

/** Reads the attributes of an owner in declared order. */
export const useAttributes = (owner: AttributeOwner) => useRead(getAttributeActions(owner).list, getListInput(owner));

/** Returns the cache key of the attribute list. */
export const getListKey = (owner: AttributeOwner) => readKey(getAttributeActions(owner).list, getListInput(owner));

type List = { items: Attribute[] };

const replaceAttribute = (body: List, id: string, part: Partial<Attribute>): List => ({
  ...body,
  items: body.items.map((row) => (row.id === id ? { ...row, ...part } : row)),
});

/** Save functions of an attribute; each throws a sentence on a conflict. */
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
  const describeConflict = async (save: Promise<void>) => {
    try {
      await save;
    } catch (error) {
      if (!(error instanceof ValueConflict)) throw error;
      throw new Error(say("changedTo", { value: String(error.theirs).replace(/^key:/, "") }));
    }
  };
  const createAccess = <M extends "key" | "name" | "description" | "typeByKey" | "optional", I>(
    { id }: Attribute,
    member: M,
    toValue: (value: NonNullable<Attribute[M]> | "") => I,
  ) => ({
    pick: ({ items }: List) => items.find((row) => row.id === id)?.[member] ?? "",
    put: (body: List, value: NonNullable<Attribute[M]> | "") => replaceAttribute(body, id, { [member]: value }),
    toInput: (value: NonNullable<Attribute[M]> | "") => ({
      ...refs,
      attributeRef: `id:${id}` as const,
      value: toValue(value),
    }),
  });
  const toText = (value: string) => value;
  const isTrue = (value: boolean | "") => value === true;
  return {
    key: (row, text) => describeConflict(saveKey(createAccess(row, "key", toText), text, row.key)),
    name: (row, text) => describeConflict(saveName(createAccess(row, "name", toText), text, row.name ?? "")),
    description: (row, text) =>
      describeConflict(saveDescription(createAccess(row, "description", toText), text, row.description ?? "")),
    type: (row, text) =>
      describeConflict(saveType(createAccess(row, "typeByKey", toRef), `key:${text}`, row.typeByKey ?? "")),
    optional: (row, text) =>
      describeConflict(saveOptional(createAccess(row, "optional", isTrue), text === "yes", row.optional)),
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
  current: { readonly key: string; readonly etag: string | undefined },
  openNewKey: SavedKey<"model/entity_attribute_update_key">["openNewKey"],
): { readonly name: TextEdit; readonly objectKey: TextEdit } {
  const actions = getAttributeActions(owner);
  const input = { ...getOwnerRefs(owner), attributeRef };
  const name = useMemberEdit(
    { read: actions.get, input: getAttributeInput(owner, attributeRef), refs: input },
    "name",
    actions.updateName,
  );
  const objectKey = useKeyEdit({
    value: current.key,
    ifMatch: current.etag,
    write: actions.updateKey,
    toInput: (value) => ({ ...input, value }),
    openNewKey,
  });
  return { name, objectKey };
}
