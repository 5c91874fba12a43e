import { Badge } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import type { GridView } from "../../parts/grid/grid-view.ts";
import { KeyText } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { nameOfRef } from "./name-of-ref.ts";

interface ServiceAccountsProps {
  readonly view: GridView;
  readonly setView: (view: GridView) => void;
  readonly open: (id: string) => void;
  /** The id of the account that is open beside the list. */
  readonly openId: string | undefined;
  /** The button that makes the first one. */
  readonly create: ReactNode;
}

type ServiceAccount = OutputOf<"auth/service_account_list">["items"][number];

/** The accounts of programs, which call with API tokens and never sign in. */
export function ServiceAccounts({ view, setView, open, openId, create }: ServiceAccountsProps): ReactNode {
  const say = useWords("administration");
  const read = useRead("auth/service_account_list", { expand: "keys" });
  const columns = useColumns();
  return (
    <Loaded read={read} skeleton={<TableSkeleton />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState title={say("servicesEmpty")} text={say("servicesEmptyText")} action={create} />
        ) : (
          <DataGrid
            name="services"
            label={say("services")}
            rows={items}
            idOf={({ id }) => id}
            columns={columns}
            view={view}
            setView={setView}
            open={({ id }) => open(id)}
            openId={openId}
          />
        )
      }
    </Loaded>
  );
}

function useColumns(): readonly Column<ServiceAccount>[] {
  const say = useWords("administration");
  const { since } = useFormats();
  return useMemo(
    () => [
      {
        id: "name",
        title: say("name"),
        text: ({ name }) => name,
        cell: ({ name }) => <bdi lang="en">{name}</bdi>,
      },
      { id: "key", title: say("key"), text: ({ key }) => key, cell: ({ key }) => <KeyText value={key} />, width: 220 },
      {
        id: "roles",
        title: say("rolesForAll"),
        text: ({ roles, rolesByKey }) => (rolesByKey ?? roles).map(nameOfRef).join(", "),
        width: 220,
      },
      {
        id: "seen",
        title: say("lastCall"),
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
    [say, since],
  );
}
