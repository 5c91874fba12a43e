import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { keyRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Named } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { useModelsWords } from "../../words/models.ts";

const route = getRouteApi("/shell/models");

type ModelRow = OutputOf<"model/model_list">[number];

/** All models that the person may read. */
export function Screen(): ReactNode {
  const say = useModelsWords();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const read = useRead("model/model_list", {});
  const columns = useMemo<readonly Column<ModelRow>[]>(
    () => [
      {
        id: "name",
        title: say("name"),
        text: ({ name, key }) => `${name} ${key}`,
        cell: ({ name, key }) => (
          <Link
            to="/models/$modelRef"
            params={{ modelRef: keyRef(key) }}
            style={{ color: "inherit", textDecoration: "none" }}
            tabIndex={-1}
          >
            <Named name={name} objectKey={key} />
          </Link>
        ),
      },
      { id: "version", title: say("version"), text: ({ version }) => version, width: 140 },
      { id: "authority", title: say("authority"), text: ({ authority }) => say(authority), width: 140 },
    ],
    [say],
  );
  return (
    <>
      <PageHeader title={say("title")} />
      <PageBody>
        <Loaded read={read} skeleton={<TableSkeleton />}>
          {(models) =>
            models.length === 0 ? (
              <EmptyState title={say("emptyTitle")} text={say("emptyText")} />
            ) : (
              <DataGrid
                name="models"
                label={say("title")}
                rows={models}
                idOf={({ id }) => id}
                columns={columns}
                open={({ key }) => void navigate({ to: "/models/$modelRef", params: { modelRef: keyRef(key) } })}
                view={view}
                setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
              />
            )
          }
        </Loaded>
      </PageBody>
    </>
  );
}
