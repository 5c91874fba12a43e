import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useWrite } from "../../api/writes.ts";
import { faultAt, problemBeside } from "../../parts/field-faults.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";

interface ChangePasswordProps {
  readonly username: string;
  readonly close: () => void;
}

/** The dialog that gives a user another password. */
export function ChangePassword({ username, close }: ChangePasswordProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const [password, setPassword] = useState("");
  const write = useWrite("auth/user_change_password");
  const beside = problemBeside(write.error, ["password"]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    write.mutate({ input: { username, password } }, { onSuccess: close });
  };
  return (
    <Modal opened onClose={close} title={say("changePassword")} closeButtonProps={{ "aria-label": frame("close") }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          <Text>{say("passwordEnds", { name: username })}</Text>
          {beside !== undefined && <ProblemBox problem={beside} />}
          <PasswordInput
            visibilityToggleButtonProps={{ "aria-label": frame("showPassword") }}
            label={say("newPassword")}
            description={say("passwordHint")}
            autoComplete="new-password"
            required
            value={password}
            error={faultAt(write.error, "password")}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {frame("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("changePassword")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
