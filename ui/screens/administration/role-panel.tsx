import { Button, Checkbox, List, Stack, Switch, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type TextEdit, useTextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { listImpliedPermissions, useMay, usePermissions } from "../../api/rights.ts";
import type { InputOf, OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { ConfirmDelete } from "../../parts/dialogs/confirm-delete.tsx";
import { FormDialog } from "../../parts/dialogs/form-dialog.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";
import { Facts } from "./administration-frame.tsx";

interface RolePanelProps {
  readonly id: string;
  readonly close: () => Promise<unknown>;
}

/** Panel of a role: texts, permissions with those they imply, and whether new people get it. */
export function RolePanel({ id, close }: RolePanelProps): ReactNode {
  const roleRef = toRef(`id:${id}`);
  const read = useRead("auth/role_get", { roleRef });
  return (
    <Panel title={read.data?.body.role.name ?? ""} close={close}>
      <Loaded read={read}>{(body) => <RoleBody body={body} roleRef={roleRef} close={close} />}</Loaded>
    </Panel>
  );
}

interface RoleBodyProps {
  readonly body: OutputOf<"auth/role_get">;
  readonly roleRef: RoleRef;
  readonly close: () => Promise<unknown>;
}

function RoleBody({ body: { role, permissions }, roleRef, close }: RoleBodyProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const mayEdit = may("auth/role_update_name") && !role.managedRole;
  const assign = useWrite("auth/role_update_autoassign");
  const name = useRoleText(roleRef, "name");
  const description = useRoleText(roleRef, "description");
  const [deleting, setDeleting] = useState(false);
  return (
    <Stack gap="lg">
      {role.managedRole && <Text c="dimmed">{say("keptText")}</Text>}
      <Facts
        facts={[
          [say("name"), <EditableText key="name" label={say("name")} edit={name} mayEdit={mayEdit} />],
          [say("key"), <KeyText key="key" value={role.key} />],
          [
            say("description"),
            <EditableText
              key="description"
              label={say("description")}
              edit={description}
              kind="markdown"
              mayEdit={mayEdit}
            />,
          ],
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
          onDone={close}
        />
      )}
    </Stack>
  );
}

type RoleRef = InputOf<"auth/role_get">["roleRef"];

const useRoleText = (roleRef: RoleRef, field: "name" | "description"): TextEdit =>
  useTextEdit({
    read: "auth/role_get",
    input: { roleRef },
    pick: ({ role }) => role[field],
    put: (body, text) => ({ ...body, role: { ...body.role, [field]: text } }),
    write: `auth/role_update_${field}` as const,
    toInput: (value) => ({ roleRef, value }),
  });

/** Lists everything that a role permits, including implied permissions. */
export function RolePermissions({ roleRef }: { readonly roleRef: RoleRef }): ReactNode {
  const say = useWords("administration");
  const all = usePermissions();
  const given = useRead("auth/role_get", { roleRef }).data?.body.permissions;
  if (!given) return null;
  const brought = listImpliedPermissions(all, given);
  const held = all.filter(({ id }) => given.includes(id) || brought.has(id));
  if (held.length === 0) return <Text c="dimmed">{say("allowsNothing")}</Text>;
  return (
    <section>
      <Text fw={500}>{say("allows")}</Text>
      <List size="sm" spacing={2}>
        {held.map(({ id, name, description }) => (
          <List.Item key={id}>
            <span lang="en" title={description}>
              {name}
            </span>
          </List.Item>
        ))}
      </List>
    </section>
  );
}

interface PermissionChoiceProps {
  readonly roleRef: RoleRef;
  readonly given: readonly string[];
  readonly mayEdit: boolean;
}

function PermissionChoice({ roleRef, given, mayEdit }: PermissionChoiceProps): ReactNode {
  const say = useWords("administration");
  const all = usePermissions();
  const brought = listImpliedPermissions(all, given);
  const add = useWrite("auth/role_add_permission");
  const remove = useWrite("auth/role_delete_permission");
  const findPermissionName = (id: string | undefined): string => all.find((one) => one.id === id)?.name ?? "";
  const problem = add.error ?? remove.error;
  return (
    <section>
      <Title order={3} mb={6}>
        {say("permissions")}
      </Title>
      {problem && <ProblemBox problem={problem} />}
      <Stack gap="xs">
        {all.map(({ id, name, description }) => {
          const by = brought.get(id);
          const origin = by === undefined ? "" : ` (${say("impliedBy", { permission: findPermissionName(by) })})`;
          return (
            <Checkbox
              key={id}
              label={<span lang="en">{name}</span>}
              description={
                <>
                  <span lang="en">{description}</span>
                  {origin}
                </>
              }
              checked={given.includes(id) || by !== undefined}
              disabled={!mayEdit || by !== undefined || add.isPending || remove.isPending}
              onChange={(event) =>
                (event.currentTarget.checked ? add : remove).mutate({ input: { roleRef, permissionKey: id } })
              }
            />
          );
        })}
      </Stack>
    </section>
  );
}

interface NewRoleProps {
  readonly close: () => void;
  readonly onCreated: (id: string) => void;
}

/** Dialog that creates a role. */
export function NewRole({ close, onCreated }: NewRoleProps): ReactNode {
  const say = useWords("administration");
  const write = useWrite("auth/role_create");
  return (
    <FormDialog
      title={say("newRole")}
      submit={say("createRole")}
      fields={{ name: { label: say("name"), required: true }, key: { label: say("key"), required: true } }}
      write={write}
      send={(input) => write.mutate({ input }, { onSuccess: ({ body }) => onCreated(body.id) })}
      close={close}
    />
  );
}
