import { type ReactNode, useState } from "react";
import { type RefText, refOf } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useTagsWords } from "../../words/tags.ts";
import { CreateDialog } from "../create-dialog.tsx";
import { RefPicker } from "../ref-picker.tsx";
import { givenTexts, NewTextFields, NO_TEXTS } from "../text-inputs.tsx";

interface CreateTagProps {
  readonly close: () => void;
  readonly created: (key: string) => void;
}

/** Creates a tag of one model. */
export function CreateLocalTag({
  modelRef,
  close,
  created,
}: CreateTagProps & { readonly modelRef: RefText }): ReactNode {
  const say = useTagsWords();
  const [texts, setTexts] = useState(NO_TEXTS);
  const write = useWrite("tag/tag_local_create");
  return (
    <CreateDialog
      title={say("addTag")}
      keyParameter="key"
      close={close}
      create={async () => {
        await write.mutateAsync({ input: { modelRef, key: texts.key, ...givenTexts(texts) } });
        created(texts.key);
      }}
      fields={(faultOf) => (
        <NewTextFields
          texts={texts}
          setTexts={setTexts}
          keyFault={faultOf("key")}
          nameFault={faultOf("name")}
          descriptionFault={faultOf("description")}
        />
      )}
    />
  );
}

/** Creates a global tag in a group. */
export function CreateGlobalTag({ close, created }: CreateTagProps): ReactNode {
  const say = useTagsWords();
  const [texts, setTexts] = useState(NO_TEXTS);
  const [group, setGroup] = useState("");
  const write = useWrite("tag/tag_global_create");
  return (
    <CreateDialog
      title={say("addTag")}
      keyParameter="key"
      close={close}
      create={async () => {
        await write.mutateAsync({ input: { groupRef: refOf(group), key: texts.key, ...givenTexts(texts) } });
        created(`${group.replace(/^key:/, "")}/${texts.key}`);
      }}
      fields={(faultOf) => (
        <>
          <RefPicker
            kind="tagGroup"
            label={say("group")}
            value={group}
            onChange={setGroup}
            error={faultOf("groupRef")}
          />
          <NewTextFields
            texts={texts}
            setTexts={setTexts}
            keyFault={faultOf("key")}
            nameFault={faultOf("name")}
            descriptionFault={faultOf("description")}
          />
        </>
      )}
    />
  );
}

/** Creates a group that global tags can be made in. */
export function CreateTagGroup({ close, created }: CreateTagProps): ReactNode {
  const say = useTagsWords();
  const [texts, setTexts] = useState(NO_TEXTS);
  const write = useWrite("tag/tag_group_create");
  return (
    <CreateDialog
      title={say("addGroup")}
      keyParameter="key"
      close={close}
      create={async () => {
        await write.mutateAsync({ input: { key: texts.key, ...givenTexts(texts) } });
        created(texts.key);
      }}
      fields={(faultOf) => (
        <NewTextFields
          texts={texts}
          setTexts={setTexts}
          keyFault={faultOf("key")}
          nameFault={faultOf("name")}
          descriptionFault={faultOf("description")}
        />
      )}
    />
  );
}
