import { Badge, Button, Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useTextEdit } from "../../api/text-edit.ts";
import { useWrite } from "../../api/writes.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { EditableText } from "../../parts/editable-text.tsx";
import { KeyText } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useAdministrationWords } from "../../words/administration.ts";
import { useFormats } from "../../words/formats.ts";
import { ChangePassword } from "./change-password.tsx";
import { Facts } from "./facts.tsx";
import { isBuiltIn, useIssuerName } from "./issuer-name.ts";
import { PersonRoles } from "./person-roles.tsx";

interface PersonPanelProps {
  readonly actorId: string;
  readonly close: () => Promise<unknown>;
}

/** One person beside the list: facts, roles, and what may be done about the account. */
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
  const say = useAdministrationWords();
  const nameOf = useIssuerName();
  const isUser = isBuiltIn(person.issuer);
  const { moment, list } = useFormats();
  const may = useMay();
  const seen = person.lastSeenAt ? moment(person.lastSeenAt) : say("never");
  const facts = [
    [say("fullname"), isUser ? <Fullname key="fullname" person={person} /> : undefined],
    [say("subject"), <KeyText key="subject" value={person.subject} />],
    [say("signsInAt"), nameOf(person.issuer)],
    [say("email"), person.email],
    [say("claimedRoles"), person.claimedRoles && list(person.claimedRoles)],
    [say("created"), moment(person.createdAt)],
    [say("lastSeen"), seen],
  ] as const;
  return (
    <Stack gap="lg">
      {person.disabledAt && (
        <Badge variant="default" tt="none" fw={500}>
          {say("disabledSince", { when: moment(person.disabledAt) })}
        </Badge>
      )}
      <Facts facts={facts} />
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
      {may("auth/actor_disable") && <Account person={person} close={close} />}
    </Stack>
  );
}

function Fullname({ person: { id, subject } }: Pick<PersonProps, "person">): ReactNode {
  const say = useAdministrationWords();
  const may = useMay();
  const edit = useTextEdit({
    read: "auth/actor_get",
    input: { actorId: id, expand: "keys" },
    pick: ({ fullname }) => fullname,
    put: (body, fullname) => ({ ...body, fullname }),
    write: "auth/user_change_fullname",
    written: (fullname) => ({ username: subject, fullname }),
  });
  return <EditableText label={say("fullname")} edit={edit} mayEdit={may("auth/user_change_fullname")} />;
}

/** Switching the account off and on, its password, its end. */
function Account({ person, close }: PersonProps): ReactNode {
  const say = useAdministrationWords();
  const [open, setOpen] = useState<"password" | "delete">();
  const enable = useWrite("auth/actor_enable");
  const disable = useWrite("auth/actor_disable");
  const write = person.disabledAt ? enable : disable;
  const isUser = isBuiltIn(person.issuer);
  return (
    <Stack gap="xs">
      {write.error && <ProblemBox problem={write.error} />}
      <Group gap="xs">
        <Button
          variant="default"
          loading={write.isPending}
          onClick={() => write.mutate({ input: { actorId: person.id } })}
        >
          {say(person.disabledAt ? "enable" : "disable")}
        </Button>
        {isUser && (
          <Button variant="default" onClick={() => setOpen("password")}>
            {say("changePassword")}
          </Button>
        )}
        {isUser && (
          <Button variant="subtle" color="red" onClick={() => setOpen("delete")}>
            {say("deleteUser", { name: person.subject })}
          </Button>
        )}
      </Group>
      {open === "password" && <ChangePassword username={person.subject} close={() => setOpen(undefined)} />}
      {open === "delete" && (
        <ConfirmDelete
          action="auth/user_delete"
          input={{ username: person.subject }}
          what={say("userNoun", { name: person.subject })}
          close={() => setOpen(undefined)}
          done={close}
        />
      )}
    </Stack>
  );
}
