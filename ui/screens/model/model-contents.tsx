import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Read, useRead } from "../../api/reads.ts";
import type { RefText } from "../../api/refs.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { Count } from "../../parts/structure/count.tsx";
import { useModelWords } from "../../words/model.ts";
import { type ContentRow, type Contents, ROW_PLACES, useContentColumns } from "./content-columns.tsx";
import { CreateButton } from "./create-button.tsx";

const CreateInModel = openedLater(async () => (await import("./create-in-model.tsx")).CreateInModel);

const route = getRouteApi("/shell/models/$modelRef");

const KINDS: readonly Contents[] = ["entities", "relationships", "types"];

const EMPTY = {
  entities: ["noEntities", "noEntitiesText"],
  relationships: ["noRelationships", "noRelationshipsText"],
  types: ["noTypes", "noTypesText"],
} as const;

/** What is in a model: its entities, relationships and types, each as a table. */
export function ModelContents({ modelRef }: { readonly modelRef: RefText }): ReactNode {
  const say = useModelWords();
  const { show = "entities", do: action, of } = route.useSearch();
  const navigate = route.useNavigate();
  const input = { modelRef, expand: "keys" } as const;
  const reads = {
    entities: useRead("model/entity_list", input),
    relationships: useRead("model/relationship_list", input),
    types: useRead("model/type_list", input),
  };
  const count = (kind: Contents): ReactNode => {
    const items = reads[kind].data?.body.items;
    return items && <Count>{items.length}</Count>;
  };
  const choose = (kind: string | null): void => {
    const chosen = KINDS.find((one) => one === kind);
    void navigate({ search: { show: chosen === "entities" ? undefined : chosen }, replace: true });
  };
  return (
    <Tabs value={show} onChange={choose} keepMounted={false}>
      <Tabs.List aria-label={say("parts")} mb="md">
        {KINDS.map((kind) => (
          <Tabs.Tab key={kind} value={kind}>
            {say(kind)} {count(kind)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {KINDS.map((kind) => (
        <Tabs.Panel key={kind} value={kind}>
          {/* Each list answers rows of its own kind, of which the columns take what they have. */}
          <ContentTable
            kind={kind}
            modelRef={modelRef}
            read={reads[kind] as Read<{ readonly items: readonly ContentRow[] }>}
          />
        </Tabs.Panel>
      ))}
      {action === "create" && (
        <CreateInModel
          kind={show}
          modelRef={modelRef}
          entityRef={of}
          close={() =>
            void navigate({ search: (before) => ({ ...before, do: undefined, of: undefined }), replace: true })
          }
        />
      )}
    </Tabs>
  );
}

interface ContentTableProps {
  readonly kind: Contents;
  readonly modelRef: RefText;
  readonly read: Read<{ readonly items: readonly ContentRow[] }>;
}

function ContentTable({ kind, modelRef, read }: ContentTableProps): ReactNode {
  const say = useModelWords();
  const view = route.useSearch();
  const change = route.useNavigate();
  const navigate = useNavigate();
  const columns: readonly Column<ContentRow>[] = useContentColumns(kind, modelRef);
  const [title, text] = EMPTY[kind];
  const create = (
    <CreateButton kind={kind} open={() => void change({ search: (before) => ({ ...before, do: "create" }) })} />
  );
  const { to, member } = ROW_PLACES[kind];
  return (
    <Loaded read={read} skeleton={<TableSkeleton />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState title={say(title)} text={say(text)} action={create} />
        ) : (
          <DataGrid
            name={`model-${kind}`}
            label={say(kind)}
            rows={items}
            idOf={({ id }) => id}
            columns={columns}
            tools={create}
            view={view}
            setView={(next) => void change({ search: (before) => ({ ...before, ...next }), replace: true })}
            open={({ key }) =>
              void navigate({
                to,
                // The address has the two refs that it names.
                params: { modelRef, [member]: `key:${key}` } as never,
              })
            }
          />
        )
      }
    </Loaded>
  );
}
