import { Badge, Button, Checkbox, SegmentedControl } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { type CreateProps, FormDialog } from "../../parts/dialogs/form-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { findFaultAt } from "../../parts/field-faults.ts";
import type { Column } from "../../parts/grid/column.ts";
import { getId, getItems } from "../../parts/grid/loaded-grid.tsx";
import { useQueryParameters } from "../../parts/grid/use-query-parameters.ts";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AdministrationList, findNameOfRef, useIssuerName } from "./administration-frame.tsx";
import { PersonPanel } from "./person-panel.tsx";
import { RoleChoice } from "./role-panel.tsx";

type Person = OutputOf<"auth/actor_list">["items"][number];
type ServiceAccount = OutputOf<"auth/service_account_list">["items"][number];

/** People and service accounts with their actions. */
export function PeopleScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const navigate = useNavigate();
  const { search, change } = useQueryParameters();
  const mayListServices = may("auth/service_account_list");
  const showsServices = search.of === "services" && mayListServices;
  const people = useRead("auth/actor_list", showsServices ? undefined : {});
  const services = useRead("auth/service_account_list", showsServices ? { expand: "keys" } : undefined);
  const personColumns = usePersonColumns();
  const serviceColumns = useServiceAccountColumns();
  const openServices = (actor?: string): Promise<void> => navigate({ to: ".", search: { of: "services", actor } });
  const props = {
    section: "people",
    getId,
    open: "actor",
    panel: PersonPanel,
    dialogs: [
      {
        do: "create-service",
        action: "auth/service_account_create",
        label: say("newService"),
        dialog: NewServiceAccount,
        onCreated: openServices,
      },
      { do: "create", action: "auth/user_create", label: say("newUser"), dialog: NewUser },
    ],
    above: mayListServices && (
      <SegmentedControl
        mb="md"
        aria-label={say("whichAccounts")}
        value={showsServices ? "services" : "people"}
        data={[
          { value: "people", label: say("people") },
          { value: "services", label: say("services") },
        ]}
        // Order, filters and the open panel belong to one list.
        onChange={(value) => (value === "services" ? openServices() : navigate({ to: ".", search: {} }))}
      />
    ),
  } as const;
  if (!showsServices) {
    return (
      <AdministrationList
        {...props}
        read={people}
        getRows={({ items }) => items.filter((one) => !isServiceAccount(one))}
        columns={personColumns}
      />
    );
  }
  const create = may("auth/service_account_create") && (
    <Button variant="default" onClick={() => change({ do: "create-service" })}>
      {say("newService")}
    </Button>
  );
  return (
    <AdministrationList
      {...props}
      name="services"
      label={say("services")}
      read={services}
      getRows={getItems}
      columns={serviceColumns}
      empty={<EmptyState title={say("servicesEmpty")} text={say("servicesEmptyText")} action={create} />}
    />
  );
}

function usePersonColumns(): readonly Column<Person>[] {
  const say = useWords("administration");
  const formatIssuer = useIssuerName();
  return [
    { id: "name", title: say("name"), getText: ({ fullname }) => fullname, isEnglish: true },
    { id: "subject", title: say("subject"), getText: ({ subject }) => subject, width: 240 },
    { id: "issuer", title: say("signsInAt"), getText: ({ issuer }) => formatIssuer(issuer), width: 220 },
    ...useAccountColumns<Person>("lastSeen"),
  ];
}

function useServiceAccountColumns(): readonly Column<ServiceAccount>[] {
  const say = useWords("administration");
  return [
    { id: "name", title: say("name"), getText: ({ name }) => name, isEnglish: true },
    {
      id: "key",
      title: say("key"),
      getText: ({ key }) => key,
      renderCell: ({ key }) => <KeyText value={key} />,
      width: 220,
    },
    {
      id: "roles",
      title: say("rolesForAll"),
      getText: ({ roles, rolesByKey }) => (rolesByKey ?? roles).map(findNameOfRef).join(", "),
      width: 220,
    },
    ...useAccountColumns<ServiceAccount>("lastCall"),
  ];
}

function useAccountColumns<T extends Pick<Person, "lastSeenAt" | "disabledAt">>(
  word: "lastSeen" | "lastCall",
): readonly Column<T>[] {
  const say = useWords("administration");
  const { formatSince } = useFormats();
  return [
    {
      id: "seen",
      title: say(word),
      width: 160,
      getText: ({ lastSeenAt }) => (lastSeenAt ? formatSince(lastSeenAt) : say("never")),
      compareRows: (a, b) => (a.lastSeenAt ?? "").localeCompare(b.lastSeenAt ?? ""),
    },
    {
      id: "state",
      title: say("state"),
      width: 120,
      getText: ({ disabledAt }) => say(disabledAt ? "disabled" : "active"),
      renderCell: ({ disabledAt }) => (disabledAt ? <Badge>{say("disabled")}</Badge> : say("active")),
    },
  ];
}

function NewServiceAccount({ close, onCreated }: CreateProps) {
  const say = useWords("administration");
  const [role, setRole] = useState<string | null>(null);
  const write = useWrite("auth/service_account_create");
  return (
    <FormDialog
      title={say("newService")}
      submit={say("createService")}
      fields={{
        name: { label: say("name"), description: say("serviceNameHint"), required: true },
        key: { label: say("key"), description: say("keyHint"), required: true },
      }}
      others={["roleRefs"]}
      write={write}
      send={(texts) =>
        write.mutate(
          { input: { ...texts, ...(role !== null && { roleRefs: [toRef(`id:${role}`)] }) } },
          { onSuccess: ({ body }) => onCreated(body.id) },
        )
      }
      close={close}
    >
      <RoleChoice role={role} choose={setRole} error={findFaultAt(write.error, "roleRefs")} clearable />
    </FormDialog>
  );
}

function NewUser({ close }: Pick<CreateProps, "close">) {
  const say = useWords("administration");
  const [admin, setAdmin] = useState(false);
  const write = useWrite("auth/user_create");
  return (
    <FormDialog
      title={say("newUser")}
      submit={say("createUser")}
      fields={{
        username: { label: say("username"), description: say("usernameHint"), required: true, autoComplete: "off" },
        fullname: { label: say("fullname"), required: true, autoComplete: "off" },
        password: { type: "password", label: say("password"), description: say("passwordHint"), required: true },
      }}
      write={write}
      send={(texts) => write.mutate({ input: { ...texts, admin } }, { onSuccess: close })}
      close={close}
    >
      <Checkbox
        label={say("isAdministrator")}
        checked={admin}
        onChange={(event) => setAdmin(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
