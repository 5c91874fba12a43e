import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWrite } from "../../api/writes.ts";
import { faultAt, problemBeside } from "../../parts/field-faults.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";

interface NewRoleProps {
  readonly close: () => void;
  /** Takes the id of the new role, whose permissions are chosen next. */
  readonly made: (id: string) => void;
}

/** The dialog that makes a role. */
export function NewRole({ close, made }: NewRoleProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const [key, setKey] = useState("");
  const [name, setName] = useState("");
  const write = useWrite("auth/role_create");
  const beside = problemBeside(write.error, ["key", "name"]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    write.mutate({ input: { key, name } }, { onSuccess: ({ body }) => made(body.id) });
  };
  return (
    <Modal opened onClose={close} title={say("newRole")} closeButtonProps={{ "aria-label": frame("close") }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {beside !== undefined && <ProblemBox problem={beside} />}
          <TextInput
            label={say("name")}
            required
            value={name}
            error={faultAt(write.error, "name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={say("key")}
            required
            value={key}
            error={faultAt(write.error, "key")}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={close}>
              {frame("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("createRole")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
