import {
  Button,
  Checkbox,
  Group,
  Modal,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useMemo, useState } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { findFaultAt, findProblemWithoutField } from "../../parts/field-faults.ts";
import type { Column } from "../../parts/grid/column.ts";
import type { GridView } from "../../parts/grid/grid-view.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import {
  AdministrationFrame,
  findNameOfRef,
  getId,
  getItems,
  List,
  type ListProps,
  Mark,
  useIssuerName,
} from "./administration-frame.tsx";
import { PersonPanel } from "./person-panel.tsx";
import { RolePermissions } from "./role-panel.tsx";

interface Account {
  readonly lastSeenAt?: string | undefined;
  readonly disabledAt?: string | undefined;
}

/** Returns the columns that people and service accounts share: the last sign-in or call, and whether they are disabled. */
function useAccountColumns<T extends Account>(seen: "lastSeen" | "lastCall"): readonly Column<T>[] {
  const say = useWords("administration");
  const { formatSince } = useFormats();
  return useMemo(
    () => [
      {
        id: "seen",
        title: say(seen),
        width: 160,
        getText: ({ lastSeenAt }) => (lastSeenAt ? formatSince(lastSeenAt) : say("never")),
        compareRows: (a, b) => (a.lastSeenAt ?? "").localeCompare(b.lastSeenAt ?? ""),
      },
      {
        id: "state",
        title: say("state"),
        width: 120,
        getText: ({ disabledAt }) => say(disabledAt ? "disabled" : "active"),
        renderCell: ({ disabledAt }) => (disabledAt ? <Mark>{say("disabled")}</Mark> : say("active")),
      },
    ],
    [say, formatSince, seen],
  );
}

type Person = OutputOf<"auth/actor_list">["items"][number];
type ServiceAccount = OutputOf<"auth/service_account_list">["items"][number];

const peopleRoute = getRouteApi("/shell/administration/people");

/** People and service accounts with their actions. */
export function PeopleScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = peopleRoute.useSearch();
  const navigate = peopleRoute.useNavigate();
  const go = (change: Partial<typeof search>): Promise<void> =>
    navigate({ search: (before) => ({ ...before, ...change }) });
  const setView = (view: GridView): void =>
    void navigate({ search: (before) => ({ ...before, ...view }), replace: true });
  const mayListServices = may("auth/service_account_list");
  const showsServices = search.of === "services" && mayListServices;
  const list = {
    view: search,
    setView,
    open: ({ id }: { readonly id: string }) => void go({ actor: id }),
    openId: search.actor,
  };
  const create = may("auth/service_account_create") && (
    <Button variant="default" onClick={() => go({ do: "create-service" })}>
      {say("newService")}
    </Button>
  );
  return (
    <AdministrationFrame
      section="people"
      panel={
        search.actor && <PersonPanel key={search.actor} actorId={search.actor} close={() => go({ actor: undefined })} />
      }
      actions={
        <>
          {create}
          {may("auth/user_create") && <Button onClick={() => go({ do: "create" })}>{say("newUser")}</Button>}
        </>
      }
    >
      {mayListServices && (
        <SegmentedControl
          mb="md"
          aria-label={say("whichAccounts")}
          value={showsServices ? "services" : "people"}
          data={[
            { value: "people", label: say("people") },
            { value: "services", label: say("services") },
          ]}
          // Order, filters and the open panel belong to one list.
          onChange={(of) => navigate({ search: of === "services" ? { of } : {} })}
        />
      )}
      {showsServices ? <ServiceAccounts {...list} create={create} /> : <People {...list} />}
      {search.do === "create" && <NewUser close={() => go({ do: undefined })} />}
      {search.do === "create-service" && (
        <NewServiceAccount
          close={() => go({ do: undefined })}
          onCreated={(actor) => navigate({ search: { of: "services", actor } })}
        />
      )}
    </AdministrationFrame>
  );
}

type AccountListProps = Pick<ListProps<unknown, { readonly id: string }>, "view" | "setView" | "open" | "openId">;

/** All people who have called the service. */
function People(props: AccountListProps): ReactNode {
  const say = useWords("administration");
  const nameOf = useIssuerName();
  const read = useRead("auth/actor_list", {});
  const account = useAccountColumns<Person>("lastSeen");
  const columns = useMemo<readonly Column<Person>[]>(
    () => [
      {
        id: "name",
        title: say("name"),
        getText: ({ fullname }) => fullname,
        renderCell: ({ fullname }) => <bdi lang="en">{fullname}</bdi>,
      },
      { id: "subject", title: say("subject"), getText: ({ subject }) => subject, width: 240 },
      { id: "issuer", title: say("signsInAt"), getText: ({ issuer }) => nameOf(issuer), width: 220 },
      ...account,
    ],
    [say, nameOf, account],
  );
  return (
    <List
      {...props}
      name="people"
      label={say("people")}
      read={read}
      getRows={({ items }) => items.filter((one) => !isServiceAccount(one))}
      getId={getId}
      columns={columns}
    />
  );
}

/** Accounts of programs, which use API tokens and never sign in. */
function ServiceAccounts({ create, ...props }: AccountListProps & { readonly create: ReactNode }): ReactNode {
  const say = useWords("administration");
  const read = useRead("auth/service_account_list", { expand: "keys" });
  const account = useAccountColumns<ServiceAccount>("lastCall");
  const columns = useMemo<readonly Column<ServiceAccount>[]>(
    () => [
      {
        id: "name",
        title: say("name"),
        getText: ({ name }) => name,
        renderCell: ({ name }) => <bdi lang="en">{name}</bdi>,
      },
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
      ...account,
    ],
    [say, account],
  );
  return (
    <List
      {...props}
      name="services"
      label={say("services")}
      read={read}
      getRows={getItems}
      getId={getId}
      columns={columns}
      empty={<EmptyState title={say("servicesEmpty")} text={say("servicesEmptyText")} action={create} />}
    />
  );
}

interface NewServiceAccountProps {
  readonly close: () => void;
  /** Called with the id of the new account, whose tokens are created next. */
  readonly onCreated: (id: string) => void;
}

/** Dialog that creates a service account; shows what its role permits. */
function NewServiceAccount({ close, onCreated }: NewServiceAccountProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const roles = useRead("auth/role_list", {}).data?.body.items ?? [];
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [role, setRole] = useState<string | null>(null);
  const write = useWrite("auth/service_account_create");
  const beside = findProblemWithoutField(write.error, ["name", "key", "roleRefs"]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const input = { key, name, ...(role !== null && { roleRefs: [toRef(`id:${role}`)] }) };
    write.mutate({ input }, { onSuccess: ({ body }) => onCreated(body.id) });
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
            error={findFaultAt(write.error, "name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={say("key")}
            description={say("keyHint")}
            required
            value={key}
            error={findFaultAt(write.error, "key")}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Select
            label={say("role")}
            data={roles.map((one) => ({ value: one.id, label: one.name }))}
            value={role}
            onChange={setRole}
            error={findFaultAt(write.error, "roleRefs")}
            searchable
            clearable
          />
          {role !== null && <RolePermissions roleRef={toRef(`id:${role}`)} />}
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

interface NewUserProps {
  readonly close: () => void;
}

const FIELDS = ["username", "fullname", "password"] as const;
const EMPTY = { username: "", fullname: "", password: "" };

/** Dialog that creates a user of the built-in provider. */
function NewUser({ close }: NewUserProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const [typed, setTyped] = useState<Readonly<Record<(typeof FIELDS)[number], string>>>(EMPTY);
  const [admin, setAdmin] = useState(false);
  const write = useWrite("auth/user_create");
  const beside = findProblemWithoutField(write.error, FIELDS);
  const createFieldProps = (name: (typeof FIELDS)[number], label: string) => ({
    label,
    value: typed[name],
    required: true,
    error: findFaultAt(write.error, name),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((before) => ({ ...before, [name]: value }));
    },
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    write.mutate({ input: { ...typed, admin } }, { onSuccess: close });
  };
  return (
    <Modal opened onClose={close} title={say("newUser")} closeButtonProps={{ "aria-label": frame("close") }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {beside !== undefined && <ProblemBox problem={beside} />}
          <TextInput
            {...createFieldProps("username", say("username"))}
            description={say("usernameHint")}
            autoComplete="off"
          />
          <TextInput {...createFieldProps("fullname", say("fullname"))} autoComplete="off" />
          <PasswordInput
            visibilityToggleButtonProps={{ "aria-label": frame("showPassword") }}
            {...createFieldProps("password", say("password"))}
            description={say("passwordHint")}
            autoComplete="new-password"
          />
          <Checkbox
            label={say("isAdministrator")}
            checked={admin}
            onChange={(event) => setAdmin(event.currentTarget.checked)}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={close}>
              {frame("cancel")}
            </Button>
            <Button type="submit" loading={write.isPending}>
              {say("createUser")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
