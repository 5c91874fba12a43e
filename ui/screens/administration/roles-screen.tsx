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
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useWords } from "../../words/words.ts";
import { AdministrationFrame } from "./administration-frame.tsx";
import { NewRole } from "./new-role.tsx";
import { RolePanel } from "./role-panel.tsx";

const rolesRoute = getRouteApi("/shell/administration/roles");

type Role = OutputOf<"auth/role_list">["items"][number];

/** All roles; what one really allows stands beside the list. */
export function RolesScreen(): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const search = rolesRoute.useSearch();
  const navigate = rolesRoute.useNavigate();
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
  const say = useWords("administration");
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
