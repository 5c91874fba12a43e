import { type ReactNode, useState } from "react";
import { type RefText, toRef } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { CreateNamed } from "../dialogs/create-dialog.tsx";
import type { CreateProps } from "../dialogs/form-dialog.tsx";
import { RefPicker } from "../pickers/floating.tsx";

interface CreateTagProps extends CreateProps {
  readonly scope: { readonly kind: "local"; readonly modelRef: RefText } | { readonly kind: "global" | "group" };
}

/** Dialog that creates a tag of a model, a global tag in a group, or a group. */
export function CreateTag({ scope, close, onCreated }: CreateTagProps): ReactNode {
  const say = useWords("tags");
  const [group, setGroup] = useState("");
  const isGlobal = scope.kind === "global";
  const write = useWrite(`tag/tag_${scope.kind}_create` as const);
  const owner = scope.kind === "local" ? { modelRef: scope.modelRef } : isGlobal ? { groupRef: toRef(group) } : {};
  return (
    <CreateNamed
      title={say(scope.kind === "group" ? "addGroup" : "addTag")}
      keyParameter="key"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { ...owner, key, ...texts } });
        onCreated(isGlobal ? `${group.replace(/^key:/, "")}/${key}` : key);
      }}
      renderBefore={(findFault) =>
        isGlobal && (
          <RefPicker
            kind="tagGroup"
            label={say("group")}
            value={group}
            onChange={setGroup}
            error={findFault("groupRef")}
          />
        )
      }
    />
  );
}
