import { Text } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { ConfirmDelete } from "../dialogs/confirm-delete.tsx";
import { FormDialog } from "../dialogs/form-dialog.tsx";
import type { MenuAction } from "../pickers/floating.tsx";

interface ActedModel {
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
}

interface ModelActionsOptions {
  readonly ifMatch?: string | undefined;
  readonly open: (key: string) => void;
  readonly onDeleted: () => Promise<unknown>;
}

/** Returns the permitted actions on a model, and the dialog of the chosen one. */
export function useModelActions({ ifMatch, open, onDeleted }: ModelActionsOptions): {
  readonly listActions: (model: ActedModel) => readonly MenuAction[];
  readonly dialog: ReactNode;
} {
  const say = useWords("model");
  const may = useMay();
  const [task, setTask] = useState<{ readonly what: "copy" | "delete"; readonly model: ActedModel }>();
  const end = () => setTask(undefined);
  const [mayCopy, mayDelete] = [may("model/model_copy"), may("model/model_delete")];
  const listActions = (model: ActedModel): readonly MenuAction[] => [
    ...(mayCopy ? [{ label: say("copy"), icon: IconCopy, run: () => setTask({ what: "copy", model }) }] : []),
    ...(mayDelete
      ? [{ label: say("delete"), icon: IconTrash, isDanger: true, run: () => setTask({ what: "delete", model }) }]
      : []),
  ];
  if (!task) return { listActions, dialog: undefined };
  const { what, model } = task;
  const modelRef = `id:${model.id}` as const;
  const name = model.name || model.key;
  const dialog =
    what === "copy" ? (
      <CopyModel
        modelRef={modelRef}
        modelKey={model.key}
        close={end}
        onDone={(key) => {
          end();
          open(key);
        }}
      />
    ) : (
      <ConfirmDelete
        action="model/model_delete"
        input={{ modelRef }}
        ifMatch={ifMatch}
        what={say("what", { name })}
        close={end}
        onDone={async () => {
          end();
          await onDeleted();
        }}
      >
        <Text>{say("deleteText", { name })}</Text>
      </ConfirmDelete>
    );
  return { listActions, dialog };
}

interface CopyModelProps {
  readonly modelRef: RefText;
  readonly modelKey: string;
  readonly close: () => void;
  readonly onDone: (key: string) => void;
}

function CopyModel({ modelRef, modelKey, close, onDone }: CopyModelProps) {
  const say = useWords("model");
  const write = useWrite("model/model_copy");
  return (
    <FormDialog
      title={say("copy")}
      submit={say("copy")}
      fields={{ modelNewKey: { label: say("copyKey"), description: say("copyText"), maxLength: 128, required: true } }}
      initial={{ modelNewKey: `${modelKey.slice(0, 120)}-copy` }}
      write={write}
      send={({ modelNewKey }) =>
        write.mutate({ input: { modelRef, modelNewKey } }, { onSuccess: () => onDone(modelNewKey) })
      }
      close={close}
    />
  );
}
