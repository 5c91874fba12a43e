import { Badge, Group, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { KeyText } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AccountActions } from "./account-actions.tsx";
import { PersonFacts, ServiceAccountFacts } from "./person-facts.tsx";
import { PersonRoles } from "./person-roles.tsx";
import { TokensOfAccount } from "./tokens-of-account.tsx";

interface PersonPanelProps {
  readonly actorId: string;
  readonly close: () => Promise<unknown>;
}

/** One person or service account beside the list: facts, roles, and what may be done about the account. */
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
  const { moment } = useFormats();
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
              {say("disabledSince", { when: moment(person.disabledAt) })}
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
