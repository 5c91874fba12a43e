import { Button, Checkbox, List, Select, Stack, Switch, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { type TextEdit, useTextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { listImpliedPermissions, useMay, usePermissions } from "../../api/rights.ts";
import type { InputOf, OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { DeleteButton } from "../../parts/dialogs/confirm-delete.tsx";
import { type CreateProps, FormDialog } from "../../parts/dialogs/form-dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";
import type { RowPanelProps } from "./administration-frame.tsx";

/** Role panel: texts, permissions with implied ones, default for new people. */
export function RolePanel({ id, close }: RowPanelProps): ReactNode {
  const roleRef = toRef(`id:${id}`);
  const read = useRead("auth/role_get", { roleRef });
  return (
    <Panel title={read.data?.body.role.name ?? ""} close={close}>
      <LoadedBody read={read}>{(body) => <RoleBody body={body} roleRef={roleRef} close={close} />}</LoadedBody>
    </Panel>
  );
}

interface RoleBodyProps extends Pick<RowPanelProps, "close"> {
  readonly body: OutputOf<"auth/role_get">;
  readonly roleRef: RoleRef;
}

function RoleBody({ body: { role, permissions }, roleRef, close }: RoleBodyProps) {
  const say = useWords("administration");
  const may = useMay();
  const mayEdit = may("auth/role_update_name") && !role.managedRole;
  const assign = useWrite("auth/role_update_autoassign");
  const name = { ...useRoleText(roleRef, "name"), mayEdit };
  const description = { ...useRoleText(roleRef, "description"), mayEdit };
  return (
    <Stack gap="lg">
      {role.managedRole && <Text c="dimmed">{say("keptText")}</Text>}
      <Facts
        facts={{
          [say("name")]: <EditableText label={say("name")} edit={name} />,
          [say("key")]: <KeyText value={role.key} />,
          [say("description")]: <EditableText label={say("description")} edit={description} kind="markdown" />,
        }}
      />
      <PermissionChoice roleRef={roleRef} ids={permissions} mayEdit={mayEdit} />
      {assign.error && <ProblemBox problem={assign.error} />}
      <Switch
        label={say("giveToNew")}
        checked={role.autoAssign}
        disabled={!may("auth/role_update_autoassign") || assign.isPending}
        onChange={(event) => assign.mutate({ input: { roleRef, value: event.currentTarget.checked } })}
      />
      {mayEdit && (
        <DeleteButton
          action="auth/role_delete"
          input={{ roleRef }}
          what={say("roleNoun", { role: role.name })}
          onDone={close}
          renderButton={(ask) => (
            <Button variant="subtle" color="red" onClick={ask}>
              {say("deleteRole", { role: role.name })}
            </Button>
          )}
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

interface RoleChoiceProps {
  readonly role: string | null;
  readonly choose: (role: string | null) => void;
  readonly error: string | undefined;
  readonly clearable?: boolean;
}

/** Field that chooses a role by its id, with everything that the role permits. */
export function RoleChoice({ role, choose, ...field }: RoleChoiceProps): ReactNode {
  const say = useWords("administration");
  const roles = useRead("auth/role_list", {}).data?.body.items ?? [];
  const data = roles.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Select label={say("role")} data={data} value={role} onChange={choose} searchable {...field} />
      {role !== null && <RolePermissions roleRef={toRef(`id:${role}`)} />}
    </>
  );
}

function RolePermissions({ roleRef }: { readonly roleRef: RoleRef }) {
  const say = useWords("administration");
  const all = usePermissions();
  const ids = useRead("auth/role_get", { roleRef }).data?.body.permissions;
  if (!ids) return null;
  const origins = listImpliedPermissions(all, ids);
  const permissions = all.filter(({ id }) => ids.includes(id) || origins.has(id));
  if (permissions.length === 0) return <Text c="dimmed">{say("allowsNothing")}</Text>;
  return (
    <section>
      <Text fw={500}>{say("allows")}</Text>
      <List size="sm" spacing={2}>
        {permissions.map(({ id, name, description }) => (
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
  readonly ids: readonly string[];
  readonly mayEdit: boolean;
}

function PermissionChoice({ roleRef, ids, mayEdit }: PermissionChoiceProps) {
  const say = useWords("administration");
  const all = usePermissions();
  const origins = listImpliedPermissions(all, ids);
  const add = useWrite("auth/role_add_permission");
  const remove = useWrite("auth/role_delete_permission");
  const findPermissionName = (id: string | undefined) => all.find((one) => one.id === id)?.name ?? "";
  const problem = add.error ?? remove.error;
  return (
    <section>
      <Title order={3} mb={6}>
        {say("permissions")}
      </Title>
      {problem && <ProblemBox problem={problem} />}
      <Stack gap="xs">
        {all.map(({ id, name, description }) => {
          const cause = origins.get(id);
          const origin = cause === undefined ? "" : ` (${say("impliedBy", { permission: findPermissionName(cause) })})`;
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
              checked={ids.includes(id) || cause !== undefined}
              disabled={!mayEdit || cause !== undefined || add.isPending || remove.isPending}
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

/** Dialog that creates a role. */
export function NewRole({ close, onCreated }: CreateProps): ReactNode {
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
