import { Badge, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { findServiceAccountKey, isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useTextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { Facts } from "../../parts/facts.tsx";
import { findFaultAt, findProblemWithoutField } from "../../parts/field-faults.ts";
import { IconButton } from "../../parts/icon-button.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AccountActions } from "./account-actions.tsx";
import { findNameOfRef, isBuiltIn, type RowPanelProps, useIssuerName } from "./administration-frame.tsx";
import { RoleChoice } from "./role-panel.tsx";
import { TokensOfAccount } from "./tokens.tsx";

/** Panel of a person or service account: facts, roles, and actions on the account. */
export function PersonPanel({ id, close }: RowPanelProps): ReactNode {
  const read = useRead("auth/actor_get", { actorRef: id, expand: "keys" });
  return (
    <Panel title={read.data?.body.fullname ?? ""} close={close}>
      <LoadedBody read={read}>{(person) => <Person person={person} close={close} />}</LoadedBody>
    </Panel>
  );
}

interface OfPerson {
  readonly person: OutputOf<"auth/actor_get">;
}

function Person({ person, close }: OfPerson & Pick<RowPanelProps, "close">) {
  const say = useWords("administration");
  const { formatTime } = useFormats();
  const may = useMay();
  const isService = isServiceAccount(person);
  return (
    <Stack gap="lg">
      {(isService || person.disabledAt) && (
        <Group gap={4}>
          {isService && <Badge variant="light">{say("serviceAccount")}</Badge>}
          {person.disabledAt && <Badge>{say("disabledSince", { when: formatTime(person.disabledAt) })}</Badge>}
        </Group>
      )}
      <PersonFacts person={person} />
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

function PersonFacts({ person }: OfPerson) {
  const say = useWords("administration");
  const formatIssuer = useIssuerName();
  const { formatTime, formatList } = useFormats();
  const isService = isServiceAccount(person);
  const fullname = useTextEdit({
    read: "auth/actor_get",
    input: { actorRef: person.id, expand: "keys" },
    pick: (body) => body.fullname,
    put: (body, text) => ({ ...body, fullname: text }),
    write: isService ? "auth/service_account_update" : "auth/user_change_fullname",
    toInput: (text) =>
      isService
        ? { serviceAccountRef: toRef(`id:${person.id}`), name: text }
        : { username: person.subject, fullname: text },
  });
  const creation = { [say("created")]: formatTime(person.createdAt) };
  const lastSeen = person.lastSeenAt ? formatTime(person.lastSeenAt) : say("never");
  if (isService) {
    return (
      <Facts
        facts={{
          [say("name")]: <EditableText label={say("name")} edit={fullname} />,
          [say("key")]: <KeyText value={findServiceAccountKey(person) ?? person.subject} />,
          ...creation,
          [say("lastCall")]: lastSeen,
        }}
      />
    );
  }
  return (
    <Facts
      facts={{
        [say("fullname")]: isBuiltIn(person.issuer) && <EditableText label={say("fullname")} edit={fullname} />,
        [say("subject")]: <KeyText value={person.subject} />,
        [say("signsInAt")]: formatIssuer(person.issuer),
        [say("email")]: person.email,
        [say("claimedRoles")]: person.claimedRoles && formatList(person.claimedRoles),
        ...creation,
        [say("lastSeen")]: lastSeen,
      }}
    />
  );
}

/** Role of a person; limited to models if `models` is set. */
interface GrantedRole {
  readonly id: string;
  readonly name: string;
  readonly models?: string;
  readonly modelsName?: string | undefined;
}

function PersonRoles({ person, mayEdit }: OfPerson & { readonly mayEdit: boolean }) {
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
  const edit = useWrite("auth/actor_delete_role");
  const revokeRole = ({ id, models }: GrantedRole) =>
    edit.mutate({
      input: { actorRef: person.id, roleRef: toRef(`id:${id}`), ...(models !== undefined && { models }) },
    });
  return (
    <Stack gap="sm">
      {edit.error && <ProblemBox problem={edit.error} />}
      <HeldRoles title={say("rolesForAll")} roles={forAll} take={mayEdit ? revokeRole : undefined} />
      <HeldRoles title={say("rolesForSome")} roles={forSome} take={mayEdit ? revokeRole : undefined} />
      {mayEdit && <GiveRole actorRef={person.id} />}
    </Stack>
  );
}

interface HeldRolesProps {
  readonly title: string;
  readonly roles: readonly GrantedRole[];
  readonly take: ((role: GrantedRole) => void) | undefined;
}

function HeldRoles({ title, roles, take }: HeldRolesProps) {
  const say = useWords("administration");
  return (
    <section>
      <Title order={3}>{title}</Title>
      {roles.length === 0 && <Text c="dimmed">{say("noRoles")}</Text>}
      <Stack gap={4} mt={4} align="flex-start">
        {roles.map((grant) => {
          const role = findNameOfRef(grant.name);
          const pattern = grant.modelsName === undefined ? undefined : findNameOfRef(grant.modelsName);
          const label = pattern === undefined ? say("takeRole", { role }) : say("takeRoleFor", { role, pattern });
          return (
            <Group key={`${grant.id} ${grant.models ?? ""}`} gap={6}>
              <Badge variant="light">
                <bdi lang="en">{role}</bdi>
              </Badge>
              {pattern !== undefined && <Text>{say("forModels", { pattern })}</Text>}
              {take && <IconButton size="sm" iconSize={14} label={label} icon={IconX} run={() => take(grant)} />}
            </Group>
          );
        })}
      </Stack>
    </section>
  );
}

function GiveRole({ actorRef }: { readonly actorRef: string }) {
  const say = useWords("administration");
  const [role, setRole] = useState<string | null>(null);
  const [models, setModels] = useState("");
  const write = useWrite("auth/actor_add_role");
  const problem = findProblemWithoutField(write.error, ["models", "roleRef"]);
  const warnings = write.data?.body.warnings ?? [];
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (role === null) return;
    const input = { actorRef, roleRef: toRef(`id:${role}`), ...(models !== "" && { models }) };
    write.mutate({ input }, { onSuccess: () => setRole(null) });
  };
  return (
    <form onSubmit={send} aria-label={say("giveRole")}>
      <Stack gap="xs">
        <Title order={3}>{say("giveRole")}</Title>
        {problem !== undefined && <ProblemBox problem={problem} />}
        <RoleChoice role={role} choose={setRole} error={findFaultAt(write.error, "roleRef")} />
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
