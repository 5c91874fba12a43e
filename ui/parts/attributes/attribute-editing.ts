import { type Attribute, type AttributeOwner, attributeActions, ownerRefs } from "../../api/attributes.ts";
import {
  type KeyPlace,
  type TextEdit,
  useKeyEdit,
  useMemberEdit,
  useValueSaver,
  ValueConflict,
} from "../../api/edits.ts";
import { readKey, useRead } from "../../api/reads.ts";
import { type RefText, refOf } from "../../api/refs.ts";
import { useWords } from "../../words/words.ts";

/** How an attribute list is read everywhere, so that what was read once is shown everywhere. */
export const listInput = (owner: AttributeOwner) => ({ ...ownerRefs(owner), expand: "keys" as const });

/** The attributes of an owner in declared order. */
export const useAttributes = (owner: AttributeOwner) => useRead(attributeActions(owner).list, listInput(owner));

/** The key under which that list is kept. */
export const listKey = (owner: AttributeOwner) => readKey(attributeActions(owner).list, listInput(owner));

type List = { items: Attribute[] };

const picked =
  <V>(id: string, pick: (attribute: Attribute) => V, missing: V) =>
  (body: List): V => {
    const found = body.items.find((row) => row.id === id);
    return found ? pick(found) : missing;
  };

const replaced = (body: List, id: string, part: Partial<Attribute>): List => ({
  ...body,
  items: body.items.map((row) => (row.id === id ? { ...row, ...part } : row)),
});

/** Saves one value of an attribute that stands in the list; each throws with a sentence where somebody was faster. */
export interface CellSaves {
  readonly key: (row: Attribute, text: string) => Promise<void>;
  readonly name: (row: Attribute, text: string) => Promise<void>;
  readonly description: (row: Attribute, text: string) => Promise<void>;
  /** Takes the key of a type. */
  readonly type: (row: Attribute, text: string) => Promise<void>;
  /** Takes `yes` or `no`. */
  readonly optional: (row: Attribute, text: string) => Promise<void>;
}

/** How the cells of a table of attributes are saved. */
export function useCellSaves(owner: AttributeOwner): CellSaves {
  const say = useWords("structure");
  const actions = attributeActions(owner);
  const refs = ownerRefs(owner);
  const [read, input] = [actions.list, listInput(owner)];
  const saveKey = useValueSaver(read, input, actions.updateKey);
  const saveName = useValueSaver(read, input, actions.updateName);
  const saveDescription = useValueSaver(read, input, actions.updateDescription);
  const saveType = useValueSaver(read, input, actions.updateType);
  const saveOptional = useValueSaver(read, input, actions.updateOptional);
  const told = async (save: Promise<void>): Promise<void> => {
    try {
      await save;
    } catch (error) {
      if (!(error instanceof ValueConflict)) throw error;
      throw new Error(say("changedTo", { value: String(error.theirs).replace(/^key:/, "") }));
    }
  };
  const at = ({ id }: Attribute) => ({ ...refs, attributeRef: `id:${id}` as const });
  const place = <V>(
    row: Attribute,
    pick: (attribute: Attribute) => V,
    missing: V,
    change: (value: V) => Partial<Attribute>,
  ) => ({
    pick: picked(row.id, pick, missing),
    put: (body: List, value: V) => replaced(body, row.id, change(value)),
    written: (value: V) => ({ ...at(row), value }),
  });
  return {
    key: (row, text) =>
      told(
        saveKey(
          place(
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
      return told(
        saveName(
          place(row, pick, "", (name) => ({ name })),
          text,
          pick(row),
        ),
      );
    },
    description: (row, text) => {
      const pick = ({ description }: Attribute): string => description ?? "";
      return told(
        saveDescription(
          place(row, pick, "", (description) => ({ description })),
          text,
          pick(row),
        ),
      );
    },
    type: (row, text) => {
      const pick = ({ typeByKey }: Attribute): string => typeByKey ?? "";
      const written = (value: string) => ({ ...at(row), value: refOf(value) });
      const type = { ...place(row, pick, "", (typeByKey) => ({ typeByKey })), written };
      return told(saveType(type, `key:${text}`, pick(row)));
    },
    optional: (row, text) => {
      const flag = place(
        row,
        ({ optional }) => optional,
        false,
        (optional) => ({ optional }),
      );
      return told(saveOptional(flag, text === "yes", row.optional));
    },
  };
}

/** How an attribute is read wherever it is shown alone. */
export const attributeInput = (owner: AttributeOwner, attributeRef: RefText) => ({
  ...ownerRefs(owner),
  attributeRef,
  expand: "keys" as const,
});

/** How the name and the key of an attribute are edited; `moved` goes to where it has its new key. */
export function useAttributeTexts(
  owner: AttributeOwner,
  attributeRef: RefText,
  seen: { readonly key: string; readonly etag: string | undefined },
  moved: KeyPlace<"model/entity_attribute_update_key">["moved"],
): { readonly name: TextEdit; readonly objectKey: TextEdit } {
  const actions = attributeActions(owner);
  const input = { ...ownerRefs(owner), attributeRef };
  const name = useMemberEdit(
    { read: actions.get, input: attributeInput(owner, attributeRef), refs: input },
    "name",
    actions.updateName,
  );
  const objectKey = useKeyEdit({
    value: seen.key,
    ifMatch: seen.etag,
    write: actions.updateKey,
    written: (value) => ({ ...input, value }),
    moved,
  });
  return { name, objectKey };
}
