import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWrite } from "../../api/writes.ts";
import { faultAt, problemBeside } from "../../parts/field-faults.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";

interface NewDefinitionProps {
  readonly close: () => void;
  /** Takes the name of the property, the rest of which is chosen next. */
  readonly made: (key: string) => void;
}

/** The dialog that defines a property. */
export function NewDefinition({ close, made }: NewDefinitionProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const [key, setKey] = useState("");
  const [name, setName] = useState("");
  const write = useWrite("property/definition_create");
  const beside = problemBeside(write.error, ["key", "name"]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    write.mutate({ input: { key, ...(name !== "" && { name }) } }, { onSuccess: () => made(key) });
  };
  return (
    <Modal opened onClose={close} title={say("newDefinition")} closeButtonProps={{ "aria-label": frame("close") }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {beside !== undefined && <ProblemBox problem={beside} />}
          <TextInput
            label={say("propertyName")}
            required
            value={key}
            error={faultAt(write.error, "key")}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <TextInput
            label={say("name")}
            value={name}
            error={faultAt(write.error, "name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={close}>
              {frame("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("createDefinition")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
