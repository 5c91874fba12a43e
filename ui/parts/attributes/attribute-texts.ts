import { type AttributeOwner, attributeActions, ownerRefs } from "../../api/attributes.ts";
import { type KeyPlace, useKeyEdit } from "../../api/key-edit.ts";
import type { RefText } from "../../api/refs.ts";
import { type TextEdit, useMemberEdit } from "../../api/text-edit.ts";

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
