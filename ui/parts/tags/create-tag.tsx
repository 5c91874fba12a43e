import { type ReactNode, useState } from "react";
import { type RefText, toRef } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { CreateNamed } from "../dialogs/create-dialog.tsx";
import { RefPicker } from "../pickers/floating.tsx";

interface CreateTagProps {
  readonly close: () => void;
  readonly onCreated: (key: string) => void;
}

/** Dialog that creates a tag of a model. */
export function CreateLocalTag({
  modelRef,
  close,
  onCreated,
}: CreateTagProps & { readonly modelRef: RefText }): ReactNode {
  const say = useWords("tags");
  const write = useWrite("tag/tag_local_create");
  return (
    <CreateNamed
      title={say("addTag")}
      keyParameter="key"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { modelRef, key, ...texts } });
        onCreated(key);
      }}
    />
  );
}

/** Dialog that creates a global tag in a group. */
export function CreateGlobalTag({ close, onCreated }: CreateTagProps): ReactNode {
  const say = useWords("tags");
  const [group, setGroup] = useState("");
  const write = useWrite("tag/tag_global_create");
  return (
    <CreateNamed
      title={say("addTag")}
      keyParameter="key"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { groupRef: toRef(group), key, ...texts } });
        onCreated(`${group.replace(/^key:/, "")}/${key}`);
      }}
      renderBefore={(faultOf) => (
        <RefPicker kind="tagGroup" label={say("group")} value={group} onChange={setGroup} error={faultOf("groupRef")} />
      )}
    />
  );
}

/** Dialog that creates a group for global tags. */
export function CreateTagGroup({ close, onCreated }: CreateTagProps): ReactNode {
  const say = useWords("tags");
  const write = useWrite("tag/tag_group_create");
  return (
    <CreateNamed
      title={say("addGroup")}
      keyParameter="key"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { key, ...texts } });
        onCreated(key);
      }}
    />
  );
}
