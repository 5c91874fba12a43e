import { Badge, Button, Group } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Named } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useAdministrationWords } from "../../words/administration.ts";
import { AdministrationFrame } from "./administration-frame.tsx";

const NewRole = openedLater(async () => (await import("./new-role.tsx")).NewRole);
const RolePanel = openedLater(async () => (await import("./role-panel.tsx")).RolePanel);

const route = getRouteApi("/shell/administration/roles");

type Role = OutputOf<"auth/role_list">["items"][number];

/** All roles; what one really allows stands beside the list. */
export function Screen(): ReactNode {
  const say = useAdministrationWords();
  const may = useMay();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const read = useRead("auth/role_list", {});
  const columns = useColumns();
  const go = (change: Partial<typeof search>): Promise<void> =>
    navigate({ search: (before) => ({ ...before, ...change }) });
  return (
    <AdministrationFrame
      section="roles"
      panel={search.role && <RolePanel key={search.role} id={search.role} close={() => go({ role: undefined })} />}
      actions={may("auth/role_create") && <Button onClick={() => go({ do: "create" })}>{say("newRole")}</Button>}
    >
      <Loaded read={read} skeleton={<TableSkeleton />}>
        {({ items }) => (
          <DataGrid
            name="roles"
            label={say("roles")}
            rows={items}
            idOf={({ id }) => id}
            columns={columns}
            view={search}
            setView={(view) => void navigate({ search: (before) => ({ ...before, ...view }), replace: true })}
            open={({ id }) => go({ role: id })}
            openId={search.role}
          />
        )}
      </Loaded>
      {search.do === "create" && (
        <NewRole close={() => go({ do: undefined })} made={(role) => go({ do: undefined, role })} />
      )}
    </AdministrationFrame>
  );
}

function useColumns(): readonly Column<Role>[] {
  const say = useAdministrationWords();
  return useMemo(() => {
    const marks = ({ autoAssign, managedRole }: Role): readonly string[] => [
      ...(managedRole ? [say("kept")] : []),
      ...(autoAssign ? [say("forNew")] : []),
    ];
    return [
      {
        id: "name",
        title: say("name"),
        text: ({ name, key }) => `${name} ${key}`,
        cell: ({ name, key }) => <Named name={name} objectKey={key} />,
      },
      { id: "description", title: say("description"), text: ({ description = "" }) => description },
      {
        id: "state",
        title: say("state"),
        width: 280,
        text: (role) => marks(role).join(", "),
        cell: (role) => (
          <Group gap={4}>
            {marks(role).map((mark) => (
              <Badge key={mark} variant="default" tt="none" fw={500}>
                {mark}
              </Badge>
            ))}
          </Group>
        ),
      },
    ];
  }, [say]);
}
