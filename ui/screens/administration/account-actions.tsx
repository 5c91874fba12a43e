import { Button, Group, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { ConfirmDelete } from "../../parts/dialogs/confirm-delete.tsx";
import { FormDialog } from "../../parts/dialogs/form-dialog.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";
import { isBuiltIn } from "./administration-frame.tsx";

interface AccountActionsProps {
  readonly person: OutputOf<"auth/actor_get">;
  readonly close: () => Promise<unknown>;
}

/** Enables and disables an account, sets a password, and removes the account. */
export function AccountActions({ person, close }: AccountActionsProps): ReactNode {
  const say = useWords("administration");
  const [open, setOpen] = useState<"password" | "delete">();
  const enable = useWrite("auth/actor_enable");
  const disable = useWrite("auth/actor_disable");
  const write = person.disabledAt ? enable : disable;
  const isService = isServiceAccount(person);
  const isUser = isBuiltIn(person.issuer) && !isService;
  const tokenQuery = open === "delete" ? ({ actorRef: person.id, expand: "keys" } as const) : undefined;
  const tokens = useRead("auth/token_list", tokenQuery).data?.body.items ?? [];
  const confirmProps = {
    close: () => setOpen(undefined),
    onDone: close,
    names: new Map(tokens.map(({ id, name }) => [id, name])),
  };
  return (
    <Stack gap="xs">
      {write.error && <ProblemBox problem={write.error} />}
      <Group gap="xs">
        <Button
          variant="default"
          loading={write.isPending}
          onClick={() => write.mutate({ input: { actorRef: person.id } })}
        >
          {say(person.disabledAt ? "enable" : "disable")}
        </Button>
        {isUser && (
          <Button variant="default" onClick={() => setOpen("password")}>
            {say("changePassword")}
          </Button>
        )}
        {(isUser || isService) && (
          <Button variant="subtle" color="red" onClick={() => setOpen("delete")}>
            {isUser ? say("deleteUser", { name: person.subject }) : say("deleteService")}
          </Button>
        )}
      </Group>
      {open === "password" && <ChangePassword username={person.subject} close={() => setOpen(undefined)} />}
      {open === "delete" && isUser && (
        <ConfirmDelete
          action="auth/user_delete"
          input={{ username: person.subject }}
          what={say("userNoun", { name: person.subject })}
          {...confirmProps}
        />
      )}
      {open === "delete" && isService && (
        <ConfirmDelete
          action="auth/service_account_delete"
          input={{ serviceAccountRef: toRef(`id:${person.id}`) }}
          what={say("serviceNoun", { name: person.fullname })}
          {...confirmProps}
        />
      )}
    </Stack>
  );
}

interface ChangePasswordProps {
  readonly username: string;
  readonly close: () => void;
}

function ChangePassword({ username, close }: ChangePasswordProps) {
  const say = useWords("administration");
  const write = useWrite("auth/user_change_password");
  return (
    <FormDialog
      title={say("changePassword")}
      submit={say("changePassword")}
      text={say("passwordEnds", { name: username })}
      fields={{
        password: { type: "password", label: say("newPassword"), description: say("passwordHint"), required: true },
      }}
      write={write}
      send={({ password }) => write.mutate({ input: { username, password } }, { onSuccess: close })}
      close={close}
    />
  );
}
