import type { ReactNode } from "react";
import type { RefText } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { FormDialog } from "../dialogs/form-dialog.tsx";

interface CopyModelProps {
  readonly modelRef: RefText;
  readonly modelKey: string;
  readonly close: () => void;
  /** Called with the key of the copy. */
  readonly onDone: (key: string) => void;
}

/** Dialog that copies a model under a new key. */
export function CopyModel({ modelRef, modelKey, close, onDone }: CopyModelProps): ReactNode {
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
