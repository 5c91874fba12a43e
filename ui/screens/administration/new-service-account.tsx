import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { useWrite } from "../../api/writes.ts";
import { faultAt, problemBeside } from "../../parts/field-faults.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";
import { RolePermissions } from "./role-permissions.tsx";

interface NewServiceAccountProps {
  readonly close: () => void;
  /** Takes the id of the new account, whose tokens are made next. */
  readonly made: (id: string) => void;
}

/** The dialog that makes a service account; shows before what its role allows. */
export function NewServiceAccount({ close, made }: NewServiceAccountProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const roles = useRead("auth/role_list", {}).data?.body.items ?? [];
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [role, setRole] = useState<string | null>(null);
  const write = useWrite("auth/service_account_create");
  const beside = problemBeside(write.error, ["name", "key", "roleRefs"]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const input = { key, name, ...(role !== null && { roleRefs: [refOf(`id:${role}`)] }) };
    write.mutate({ input }, { onSuccess: ({ body }) => made(body.id) });
  };
  return (
    <Modal opened onClose={close} title={say("newService")} closeButtonProps={{ "aria-label": frame("close") }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {beside !== undefined && <ProblemBox problem={beside} />}
          <TextInput
            label={say("name")}
            description={say("serviceNameHint")}
            required
            value={name}
            error={faultAt(write.error, "name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={say("key")}
            description={say("keyHint")}
            required
            value={key}
            error={faultAt(write.error, "key")}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Select
            label={say("role")}
            data={roles.map((one) => ({ value: one.id, label: one.name }))}
            value={role}
            onChange={setRole}
            error={faultAt(write.error, "roleRefs")}
            searchable
            clearable
          />
          {role !== null && <RolePermissions roleRef={refOf(`id:${role}`)} />}
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={close}>
              {frame("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("createService")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
