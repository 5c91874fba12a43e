import { ActionIcon, Badge, Button, Group, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { findServiceAccountKey, isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { type TextEdit, useTextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { ActionName, InputOf, OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { findFaultAt, findProblemWithoutField } from "../../parts/field-faults.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AccountActions } from "./account-actions.tsx";
import { Facts, findNameOfRef, isBuiltIn, useIssuerName } from "./administration-frame.tsx";
import { RolePermissions } from "./role-panel.tsx";
import { TokensOfAccount } from "./tokens.tsx";

interface PersonPanelProps {
  readonly actorId: string;
  readonly close: () => Promise<unknown>;
}

/** Panel of a person or service account: facts, roles, and actions on the account. */
export function PersonPanel({ actorId, close }: PersonPanelProps): ReactNode {
  const read = useRead("auth/actor_get", { actorId, expand: "keys" });
  return (
    <Panel title={read.data?.body.fullname ?? ""} close={close}>
      <Loaded read={read}>{(person) => <Person person={person} close={close} />}</Loaded>
    </Panel>
  );
}

interface PersonProps {
  readonly person: OutputOf<"auth/actor_get">;
  readonly close: () => Promise<unknown>;
}

function Person({ person, close }: PersonProps): ReactNode {
  const say = useWords("administration");
  const { formatMoment } = useFormats();
  const may = useMay();
  const isService = isServiceAccount(person);
  return (
    <Stack gap="lg">
      {(isService || person.disabledAt) && (
        <Group gap={4}>
          {isService && (
            <Badge variant="light" tt="none" fw={500}>
              {say("serviceAccount")}
            </Badge>
          )}
          {person.disabledAt && (
            <Badge variant="default" tt="none" fw={500}>
              {say("disabledSince", { when: formatMoment(person.disabledAt) })}
            </Badge>
          )}
        </Group>
      )}
      {isService ? <ServiceAccountFacts person={person} /> : <PersonFacts person={person} />}
      {isService && <TokensOfAccount account={person} />}
      <PersonRoles person={person} mayEdit={may("auth/actor_add_role")} />
      <section>
        <Title order={3}>{say("permissions")}</Title>
        <Group gap={4} mt={4}>
          {person.permissions.length === 0 && say("noPermissions")}
          {person.permissions.map((one) => (
            <KeyText key={one} value={one} />
          ))}
        </Group>
      </section>
      {may("auth/actor_disable") && <AccountActions person={person} close={close} />}
    </Stack>
  );
}

interface PersonFactsProps {
  readonly person: OutputOf<"auth/actor_get">;
}

function PersonFacts({ person }: PersonFactsProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const formatIssuer = useIssuerName();
  const { formatMoment, formatList } = useFormats();
  const fullname = useFullname(person.id, "auth/user_change_fullname", (text) => ({
    username: person.subject,
    fullname: text,
  }));
  return (
    <Facts
      facts={[
        [
          say("fullname"),
          isBuiltIn(person.issuer) && (
            <EditableText
              key="fullname"
              label={say("fullname")}
              edit={fullname}
              mayEdit={may("auth/user_change_fullname")}
            />
          ),
        ],
        [say("subject"), <KeyText key="subject" value={person.subject} />],
        [say("signsInAt"), formatIssuer(person.issuer)],
        [say("email"), person.email],
        [say("claimedRoles"), person.claimedRoles && formatList(person.claimedRoles)],
        [say("created"), formatMoment(person.createdAt)],
        [say("lastSeen"), person.lastSeenAt ? formatMoment(person.lastSeenAt) : say("never")],
      ]}
    />
  );
}

const useFullname = <W extends ActionName>(
  actorId: string,
  write: W,
  toInput: (fullname: string) => InputOf<W>,
): TextEdit =>
  useTextEdit({
    read: "auth/actor_get",
    input: { actorId, expand: "keys" },
    pick: ({ fullname }) => fullname,
    put: (body, fullname) => ({ ...body, fullname }),
    write,
    toInput,
  });

function ServiceAccountFacts({ person }: PersonFactsProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const { formatMoment } = useFormats();
  const name = useFullname(person.id, "auth/service_account_update", (text) => ({
    serviceAccountRef: toRef(`id:${person.id}`),
    name: text,
  }));
  return (
    <Facts
      facts={[
        [
          say("name"),
          <EditableText key="name" label={say("name")} edit={name} mayEdit={may("auth/service_account_update")} />,
        ],
        [say("key"), <KeyText key="key" value={findServiceAccountKey(person) ?? person.subject} />],
        [say("created"), formatMoment(person.createdAt)],
        [say("lastCall"), person.lastSeenAt ? formatMoment(person.lastSeenAt) : say("never")],
      ]}
    />
  );
}

interface PersonRolesProps {
  readonly person: OutputOf<"auth/actor_get">;
  readonly mayEdit: boolean;
}

/** Role of a person; limited to models if `models` is set. */
interface GrantedRole {
  readonly id: string;
  readonly name: string;
  readonly models?: string;
  readonly modelsName?: string | undefined;
}

function PersonRoles({ person, mayEdit }: PersonRolesProps): ReactNode {
  const say = useWords("administration");
  const forAll = person.roles.map((id, at): GrantedRole => ({ id, name: person.rolesByKey?.[at] ?? id }));
  const forSome = person.scopedRoles.map(
    ({ role, roleByKey, models, modelsByKey }): GrantedRole => ({
      id: role,
      name: roleByKey ?? role,
      models,
      modelsName: modelsByKey ?? models,
    }),
  );
  const take = useWrite("auth/actor_delete_role");
  const revokeRole = ({ id, models }: GrantedRole): void =>
    take.mutate({ input: { actorId: person.id, roleRef: toRef(`id:${id}`), ...(models !== undefined && { models }) } });
  return (
    <Stack gap="sm">
      {take.error && <ProblemBox problem={take.error} />}
      <HeldRoles title={say("rolesForAll")} roles={forAll} take={mayEdit ? revokeRole : undefined} />
      <HeldRoles title={say("rolesForSome")} roles={forSome} take={mayEdit ? revokeRole : undefined} />
      {mayEdit && <GiveRole actorId={person.id} />}
    </Stack>
  );
}

interface HeldRolesProps {
  readonly title: string;
  readonly roles: readonly GrantedRole[];
  readonly take: ((role: GrantedRole) => void) | undefined;
}

function HeldRoles({ title, roles, take }: HeldRolesProps): ReactNode {
  const say = useWords("administration");
  return (
    <section>
      <Title order={3}>{title}</Title>
      {roles.length === 0 && <Text c="dimmed">{say("noRoles")}</Text>}
      <Stack gap={4} mt={4} align="flex-start">
        {roles.map((held) => {
          const role = findNameOfRef(held.name);
          const pattern = held.modelsName === undefined ? undefined : findNameOfRef(held.modelsName);
          const label = pattern === undefined ? say("takeRole", { role }) : say("takeRoleFor", { role, pattern });
          return (
            <Group key={`${held.id} ${held.models ?? ""}`} gap={6}>
              <Badge variant="light" tt="none" fw={500}>
                <bdi lang="en">{role}</bdi>
              </Badge>
              {pattern !== undefined && <Text>{say("forModels", { pattern })}</Text>}
              {take && (
                <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={() => take(held)}>
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          );
        })}
      </Stack>
    </section>
  );
}

function GiveRole({ actorId }: { readonly actorId: string }): ReactNode {
  const say = useWords("administration");
  const roles = useRead("auth/role_list", {}).data?.body.items ?? [];
  const [role, setRole] = useState<string | null>(null);
  const [models, setModels] = useState("");
  const write = useWrite("auth/actor_add_role");
  const beside = findProblemWithoutField(write.error, ["models", "roleRef"]);
  const warnings = write.data?.body.warnings ?? [];
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (role === null) return;
    const input = { actorId, roleRef: toRef(`id:${role}`), ...(models !== "" && { models }) };
    write.mutate({ input }, { onSuccess: () => setRole(null) });
  };
  return (
    <form onSubmit={send} aria-label={say("giveRole")}>
      <Stack gap="xs">
        <Title order={3}>{say("giveRole")}</Title>
        {beside !== undefined && <ProblemBox problem={beside} />}
        <Select
          label={say("role")}
          data={roles.map(({ id, name }) => ({ value: id, label: name }))}
          value={role}
          onChange={setRole}
          error={findFaultAt(write.error, "roleRef")}
          searchable
        />
        {role !== null && <RolePermissions roleRef={toRef(`id:${role}`)} />}
        <TextInput
          label={say("models")}
          description={say("modelsHint")}
          value={models}
          error={findFaultAt(write.error, "models")}
          onChange={(event) => setModels(event.currentTarget.value)}
        />
        {warnings.map(({ detail }) => (
          <Text key={detail} lang="en" c="var(--sign-additive)">
            {detail}
          </Text>
        ))}
        <Button type="submit" variant="default" disabled={role === null} loading={write.isPending}>
          {say("giveRole")}
        </Button>
      </Stack>
    </form>
  );
}
