import { Button, Tabs } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { Named } from "../../parts/key-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Split } from "../../parts/panel.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { Count } from "../../parts/structure/count.tsx";
import { useTagsWords } from "../../words/tags.ts";
import { shownKey, type TagRow, useTagColumns } from "./tag-columns.tsx";

const CreateGlobalTag = openedLater(async () => (await import("../../parts/tags/create-tag.tsx")).CreateGlobalTag);
const CreateTagGroup = openedLater(async () => (await import("../../parts/tags/create-tag.tsx")).CreateTagGroup);
const TagPanel = openedLater(async () => (await import("../../parts/tags/tag-panel.tsx")).TagPanel);

const route = getRouteApi("/shell/tags");

type Group = OutputOf<"tag/tag_group_list">["items"][number];

const GLOBAL = { filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "global" } }] } } as const;

/** The global tags of the instance, and the groups that they stand in. */
export function Screen(): ReactNode {
  const say = useTagsWords();
  const may = useMay();
  const { show = "tags", do: action, open: openKey, ...view } = route.useSearch();
  const navigate = route.useNavigate();
  const tags = useRead("tag/tag_search", { filters: { items: [...GLOBAL.filters.items] } });
  const groups = useRead("tag/tag_group_list", {});
  const tagColumns = useTagColumns();
  const groupColumns = useGroupColumns(tags.data?.body.items);
  const open = (key: string | undefined): Promise<void> =>
    navigate({
      search: (before) => ({ ...before, open: key, do: undefined }),
      replace: openKey !== undefined && key !== undefined,
    });
  const setView = (next: typeof view): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const tag = show === "tags" ? tags.data?.body.items.find((row) => shownKey(row) === openKey) : undefined;
  const group = show === "groups" ? groups.data?.body.items.find(({ key }) => key === openKey) : undefined;
  const opened = tag ?? group;
  const hasGroups = (groups.data?.body.items.length ?? 0) > 0;
  const mayGroup = may("tag/tag_group_create");
  // A global tag stands in a group, so that the first step is one.
  const addGroup = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ search: { show: "groups", do: "create" } })}
    >
      {say("addGroup")}
    </Button>
  );
  const create = may(show === "tags" ? "tag/tag_global_create" : "tag/tag_group_create") && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ search: (before) => ({ ...before, do: "create" }) })}
    >
      {say(show === "tags" ? "addTag" : "addGroup")}
    </Button>
  );
  return (
    <Split
      panel={
        opened && (
          <TagPanel
            key={opened.id}
            place={{ kind: tag ? "global" : "group", id: opened.id }}
            title={opened.name || opened.key}
            close={() => open(undefined)}
            moved={(key) => open(tag?.group ? `${tag.group.key}/${key}` : key)}
          />
        )
      }
    >
      <PageHeader title={say("globalTags")} />
      <PageBody>
        <Tabs
          value={show}
          keepMounted={false}
          onChange={(next) => void navigate({ search: next === "groups" ? { show: "groups" } : {} })}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="tags">
              {say("title")} {tags.data && <Count>{tags.data.body.items.length}</Count>}
            </Tabs.Tab>
            <Tabs.Tab value="groups">
              {say("groups")} {groups.data && <Count>{groups.data.body.items.length}</Count>}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="tags">
            <Loaded read={tags} skeleton={<TableSkeleton />}>
              {({ items }) =>
                items.length === 0 ? (
                  <EmptyState
                    title={say("noGlobalTags")}
                    text={say("noGlobalTagsText")}
                    action={hasGroups ? create : mayGroup && addGroup}
                  />
                ) : (
                  <DataGrid
                    name="global-tags"
                    label={say("globalTags")}
                    rows={items}
                    idOf={({ id }) => id}
                    columns={tagColumns}
                    view={view}
                    setView={setView}
                    open={(row) => open(shownKey(row))}
                    openId={tag?.id}
                    tools={create}
                  />
                )
              }
            </Loaded>
          </Tabs.Panel>
          <Tabs.Panel value="groups">
            <Loaded read={groups} skeleton={<TableSkeleton />}>
              {({ items }) =>
                items.length === 0 ? (
                  <EmptyState title={say("noGroups")} text={say("noGroupsText")} action={create} />
                ) : (
                  <DataGrid
                    name="tag-groups"
                    label={say("groups")}
                    rows={items}
                    idOf={({ id }) => id}
                    columns={groupColumns}
                    view={view}
                    setView={setView}
                    open={({ key }) => open(key)}
                    openId={group?.id}
                    tools={create}
                  />
                )
              }
            </Loaded>
          </Tabs.Panel>
        </Tabs>
      </PageBody>
      {action === "create" && show === "tags" && <CreateGlobalTag close={() => open(undefined)} created={open} />}
      {action === "create" && show === "groups" && <CreateTagGroup close={() => open(undefined)} created={open} />}
    </Split>
  );
}

/** The columns of the table of groups, with the number of their tags. */
function useGroupColumns(tags: readonly TagRow[] | undefined): readonly Column<Group>[] {
  const say = useTagsWords();
  return useMemo(() => {
    const countOf = ({ id }: Group): number => tags?.filter(({ group }) => group?.id === id).length ?? 0;
    return [
      {
        id: "group",
        title: say("group"),
        width: 320,
        text: ({ key, name }) => `${name ?? ""} ${key}`.trim(),
        cell: ({ key, name }): ReactNode => <Named name={name} objectKey={key} />,
      },
      {
        id: "count",
        title: say("tagsOfGroup"),
        width: 110,
        align: "end",
        text: (row) => String(countOf(row)),
        order: (a, b) => countOf(a) - countOf(b),
      },
      { id: "description", title: say("description"), text: ({ description }) => description ?? "" },
    ];
  }, [say, tags]);
}
