import { Switch } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type AttributeOwner, attributeActions, ownerRefs } from "../../api/attributes.ts";
import { refOf } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useStructureWords } from "../../words/structure.ts";
import { CreateNamed } from "../create-named.tsx";
import { RefPicker } from "../ref-picker.tsx";

interface CreateAttributeProps {
  readonly owner: AttributeOwner;
  readonly close: () => void;
  readonly created: (key: string) => void;
}

/** Creates an attribute behind those that its owner has. */
export function CreateAttribute({ owner, close, created }: CreateAttributeProps): ReactNode {
  const say = useStructureWords();
  const [type, setType] = useState("");
  const [optional, setOptional] = useState(true);
  const write = useWrite(attributeActions(owner).create);
  return (
    <CreateNamed
      title={say("addAttribute")}
      keyParameter="attributeKey"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({
          input: { ...ownerRefs(owner), attributeKey: key, type: refOf(type), optional, ...texts },
        });
        created(key);
      }}
      after={(faultOf) => (
        <>
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
