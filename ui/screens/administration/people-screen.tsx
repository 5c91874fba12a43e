import { Badge, Button, SegmentedControl } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { isServiceAccount } from "../../../shared/domain/accounts/principal.ts";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import type { GridView } from "../../parts/grid/grid-view.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { AdministrationFrame } from "./administration-frame.tsx";
import { useIssuerName } from "./issuer-name.ts";
import { NewServiceAccount } from "./new-service-account.tsx";
import { NewUser } from "./new-user.tsx";
import { PersonPanel } from "./person-panel.tsx";
import { ServiceAccounts } from "./service-accounts.tsx";

const peopleRoute = getRouteApi("/shell/administration/people");

type Person = OutputOf<"auth/actor_list">["items"][number];

/** Everybody who ever called, the accounts of programs apart from people, and what may be done about them. */
export function PeopleScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = peopleRoute.useSearch();
  const navigate = peopleRoute.useNavigate();
  const read = useRead("auth/actor_list", {});
  const columns = useColumns();
  const go = (change: Partial<typeof search>): Promise<void> =>
    navigate({ search: (before) => ({ ...before, ...change }) });
  const isOfServices = search.of === "services" && may("auth/service_account_list");
  const setView = (view: GridView): void =>
    void navigate({ search: (before) => ({ ...before, ...view }), replace: true });
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
      {may("auth/service_account_list") && (
        <SegmentedControl
          mb="md"
          aria-label={say("whichAccounts")}
          value={isOfServices ? "services" : "people"}
          data={[
            { value: "people", label: say("people") },
            { value: "services", label: say("services") },
          ]}
          // What is sorted, filtered and open belongs to one of the lists.
          onChange={(of) => navigate({ search: of === "services" ? { of } : {} })}
        />
      )}
      {isOfServices ? (
        <ServiceAccounts
          view={search}
          setView={setView}
          open={(actor) => void go({ actor })}
          openId={search.actor}
          create={create}
        />
      ) : (
        <Loaded read={read} skeleton={<TableSkeleton />}>
          {({ items }) => (
            <DataGrid
              name="people"
              label={say("people")}
              rows={items.filter((one) => !isServiceAccount(one))}
              idOf={({ id }) => id}
              columns={columns}
              view={search}
              setView={setView}
              open={({ id }) => go({ actor: id })}
              openId={search.actor}
            />
          )}
        </Loaded>
      )}
      {search.do === "create" && <NewUser close={() => go({ do: undefined })} />}
      {search.do === "create-service" && (
        <NewServiceAccount
          close={() => go({ do: undefined })}
          made={(actor) => navigate({ search: { of: "services", actor } })}
        />
      )}
    </AdministrationFrame>
  );
}

function useColumns(): readonly Column<Person>[] {
  const say = useWords("administration");
  const nameOf = useIssuerName();
  const { since } = useFormats();
  return useMemo(
    () => [
      {
        id: "name",
        title: say("name"),
        text: ({ fullname }) => fullname,
        cell: ({ fullname }) => <bdi lang="en">{fullname}</bdi>,
      },
      { id: "subject", title: say("subject"), text: ({ subject }) => subject, width: 240 },
      { id: "issuer", title: say("signsInAt"), text: ({ issuer }) => nameOf(issuer), width: 220 },
      {
        id: "seen",
        title: say("lastSeen"),
        width: 160,
        text: ({ lastSeenAt }) => (lastSeenAt ? since(lastSeenAt) : say("never")),
        order: (a, b) => (a.lastSeenAt ?? "").localeCompare(b.lastSeenAt ?? ""),
      },
      {
        id: "state",
        title: say("state"),
        width: 120,
        text: ({ disabledAt }) => say(disabledAt ? "disabled" : "active"),
        cell: ({ disabledAt }) =>
          disabledAt ? (
            <Badge variant="default" tt="none" fw={500}>
              {say("disabled")}
            </Badge>
          ) : (
            say("active")
          ),
      },
    ],
    [say, nameOf, since],
  );
}
