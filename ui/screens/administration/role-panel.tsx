import { Button, Stack, Switch, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { InputOf, OutputOf } from "../../api/service.ts";
import { useTextEdit } from "../../api/text-edit.ts";
import { useWrite } from "../../api/writes.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { EditableText } from "../../parts/editable-text.tsx";
import { KeyText } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";
import { Facts } from "./facts.tsx";
import { PermissionChoice } from "./permission-choice.tsx";

interface RolePanelProps {
  readonly id: string;
  readonly close: () => Promise<unknown>;
}

type RoleText = "auth/role_update_name" | "auth/role_update_description";

/** One role beside the list: its texts, its permissions with what they imply, and whether new people get it. */
export function RolePanel({ id, close }: RolePanelProps): ReactNode {
  const roleRef = refOf(`id:${id}`);
  const read = useRead("auth/role_get", { roleRef });
  return (
    <Panel title={read.data?.body.role.name ?? ""} close={close}>
      <Loaded read={read}>{(body) => <RoleBody body={body} roleRef={roleRef} close={close} />}</Loaded>
    </Panel>
  );
}

interface RoleBodyProps {
  readonly body: OutputOf<"auth/role_get">;
  readonly roleRef: InputOf<"auth/role_get">["roleRef"];
  readonly close: () => Promise<unknown>;
}

function RoleBody({ body: { role, permissions }, roleRef, close }: RoleBodyProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const mayEdit = may("auth/role_update_name") && !role.managedRole;
  const assign = useWrite("auth/role_update_autoassign");
  const [deleting, setDeleting] = useState(false);
  return (
    <Stack gap="lg">
      {role.managedRole && <Text c="dimmed">{say("keptText")}</Text>}
      <Facts
        facts={[
          [say("name"), <RoleTextField key="name" {...{ roleRef, mayEdit }} field="name" />],
          [say("key"), <KeyText key="key" value={role.key} />],
          [say("description"), <RoleTextField key="description" {...{ roleRef, mayEdit }} field="description" />],
        ]}
      />
      <PermissionChoice roleRef={roleRef} given={permissions} mayEdit={mayEdit} />
      {assign.error && <ProblemBox problem={assign.error} />}
      <Switch
        label={say("giveToNew")}
        checked={role.autoAssign}
        disabled={!may("auth/role_update_autoassign") || assign.isPending}
        onChange={(event) => assign.mutate({ input: { roleRef, value: event.currentTarget.checked } })}
      />
      {mayEdit && (
        <Button variant="subtle" color="red" onClick={() => setDeleting(true)}>
          {say("deleteRole", { role: role.name })}
        </Button>
      )}
      {deleting && (
        <ConfirmDelete
          action="auth/role_delete"
          input={{ roleRef }}
          what={say("roleNoun", { role: role.name })}
          close={() => setDeleting(false)}
          done={close}
        />
      )}
    </Stack>
  );
}

interface RoleTextFieldProps extends Pick<RoleBodyProps, "roleRef"> {
  readonly field: "name" | "description";
  readonly mayEdit: boolean;
}

function RoleTextField({ roleRef, field, mayEdit }: RoleTextFieldProps): ReactNode {
  const say = useWords("administration");
  const edit = useTextEdit<"auth/role_get", RoleText>({
    read: "auth/role_get",
    input: { roleRef },
    pick: ({ role }) => role[field],
    put: (body, text) => ({ ...body, role: { ...body.role, [field]: text } }),
    write: `auth/role_update_${field}`,
    written: (value) => ({ roleRef, value }),
  });
  return (
    <EditableText
      label={say(field)}
      edit={edit}
      kind={field === "description" ? "markdown" : "line"}
      mayEdit={mayEdit}
    />
  );
}
