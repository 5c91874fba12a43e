import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { RefText } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { ProblemBox } from "../problem-box.tsx";
import { findFaultText } from "../refusal.ts";

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
  const [key, setKey] = useState(`${modelKey.slice(0, 120)}-copy`);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    write.mutate({ input: { modelRef, modelNewKey: key } }, { onSuccess: () => onDone(key) });
  };
  const fault = findFaultText(write.error, "/modelNewKey");
  return (
    <Modal opened onClose={close} title={say("copy")} closeButtonProps={{ "aria-label": say("close") }}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            data-autofocus
            label={say("copyKey")}
            description={say("copyText")}
            value={key}
            maxLength={128}
            required
            withAsterisk={false}
            error={fault && <span lang="en">{fault}</span>}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          {write.error && !fault && <ProblemBox problem={write.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {say("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("copy")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
