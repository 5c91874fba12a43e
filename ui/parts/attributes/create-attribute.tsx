import { Switch } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type AttributeOwner, attributeActions, ownerRefs } from "../../api/attributes.ts";
import { refOf } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useStructureWords } from "../../words/structure.ts";
import { CreateDialog } from "../create-dialog.tsx";
import { RefPicker } from "../ref-picker.tsx";
import { givenTexts, NewTextFields, NO_TEXTS } from "../text-inputs.tsx";

interface CreateAttributeProps {
  readonly owner: AttributeOwner;
  readonly close: () => void;
  readonly created: (key: string) => void;
}

/** Creates an attribute behind those that its owner has. */
export function CreateAttribute({ owner, close, created }: CreateAttributeProps): ReactNode {
  const say = useStructureWords();
  const [texts, setTexts] = useState(NO_TEXTS);
  const [type, setType] = useState("");
  const [optional, setOptional] = useState(true);
  const write = useWrite(attributeActions(owner).create);
  const create = async (): Promise<void> => {
    await write.mutateAsync({
      input: { ...ownerRefs(owner), attributeKey: texts.key, type: refOf(type), optional, ...givenTexts(texts) },
    });
    created(texts.key);
  };
  return (
    <CreateDialog
      title={say("addAttribute")}
      keyParameter="attributeKey"
      create={create}
      close={close}
      fields={(faultOf) => (
        <>
          <NewTextFields
            texts={texts}
            setTexts={setTexts}
            keyFault={faultOf("attributeKey")}
            nameFault={faultOf("name")}
            descriptionFault={faultOf("description")}
          />
          <RefPicker
            kind="type"
            label={say("typeOf")}
            above={{ modelRef: owner.modelRef }}
            value={type}
            onChange={setType}
            error={faultOf("type")}
          />
          <Switch
            label={say("optional")}
            checked={optional}
            onChange={(event) => setOptional(event.currentTarget.checked)}
          />
        </>
      )}
    />
  );
}
