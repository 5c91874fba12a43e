import type { ReactNode } from "react";
import { findServiceAccountKey } from "../../../shared/domain/accounts/principal.ts";
import { refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useTextEdit } from "../../api/text-edit.ts";
import { EditableText } from "../../parts/editable-text.tsx";
import { KeyText } from "../../parts/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { Facts } from "./facts.tsx";
import { isBuiltIn, useIssuerName } from "./issuer-name.ts";

interface PersonFactsProps {
  readonly person: OutputOf<"auth/actor_get">;
}

/** What is known of a person: who they are, and who signs them in. */
export function PersonFacts({ person }: PersonFactsProps): ReactNode {
  const say = useWords("administration");
  const nameOf = useIssuerName();
  const { moment, list } = useFormats();
  return (
    <Facts
      facts={[
        [say("fullname"), isBuiltIn(person.issuer) ? <Fullname key="fullname" person={person} /> : undefined],
        [say("subject"), <KeyText key="subject" value={person.subject} />],
        [say("signsInAt"), nameOf(person.issuer)],
        [say("email"), person.email],
        [say("claimedRoles"), person.claimedRoles && list(person.claimedRoles)],
        [say("created"), moment(person.createdAt)],
        [say("lastSeen"), person.lastSeenAt ? moment(person.lastSeenAt) : say("never")],
      ]}
    />
  );
}

function Fullname({ person: { id, subject } }: PersonFactsProps): ReactNode {
  const say = useWords("administration");
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

/** What is known of a service account, which never signs in: its name and key, and when a program called as it. */
export function ServiceAccountFacts({ person }: PersonFactsProps): ReactNode {
  const say = useWords("administration");
  const { moment } = useFormats();
  return (
    <Facts
      facts={[
        [say("name"), <ServiceAccountName key="name" person={person} />],
        [say("key"), <KeyText key="key" value={findServiceAccountKey(person) ?? person.subject} />],
        [say("created"), moment(person.createdAt)],
        [say("lastCall"), person.lastSeenAt ? moment(person.lastSeenAt) : say("never")],
      ]}
    />
  );
}

function ServiceAccountName({ person: { id } }: PersonFactsProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const edit = useTextEdit({
    read: "auth/actor_get",
    input: { actorId: id, expand: "keys" },
    pick: ({ fullname }) => fullname,
    put: (body, fullname) => ({ ...body, fullname }),
    write: "auth/service_account_update",
    written: (name) => ({ serviceAccountRef: refOf(`id:${id}`), name }),
  });
  return <EditableText label={say("name")} edit={edit} mayEdit={may("auth/service_account_update")} />;
}
