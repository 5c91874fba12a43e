import { Button, Checkbox, Group, Modal, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWrite } from "../../api/writes.ts";
import { faultAt, problemBeside } from "../../parts/field-faults.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";

interface NewUserProps {
  readonly close: () => void;
}

const FIELDS = ["username", "fullname", "password"] as const;
const EMPTY = { username: "", fullname: "", password: "" };

/** The dialog that makes a user of the built-in provider. */
export function NewUser({ close }: NewUserProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const [typed, setTyped] = useState<Readonly<Record<(typeof FIELDS)[number], string>>>(EMPTY);
  const [admin, setAdmin] = useState(false);
  const write = useWrite("auth/user_create");
  const beside = problemBeside(write.error, FIELDS);
  const field = (name: (typeof FIELDS)[number], label: string) => ({
    label,
    value: typed[name],
    required: true,
    error: faultAt(write.error, name),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
    },
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    write.mutate({ input: { ...typed, admin } }, { onSuccess: close });
  };
  return (
    <Modal opened onClose={close} title={say("newUser")} closeButtonProps={{ "aria-label": frame("close") }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {beside !== undefined && <ProblemBox problem={beside} />}
          <TextInput {...field("username", say("username"))} description={say("usernameHint")} autoComplete="off" />
          <TextInput {...field("fullname", say("fullname"))} autoComplete="off" />
          <PasswordInput
            visibilityToggleButtonProps={{ "aria-label": frame("showPassword") }}
            {...field("password", say("password"))}
            description={say("passwordHint")}
            autoComplete="new-password"
          />
          <Checkbox
            label={say("isAdministrator")}
            checked={admin}
            onChange={(event) => setAdmin(event.currentTarget.checked)}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={close}>
              {frame("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("createUser")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
