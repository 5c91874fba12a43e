import { Tabs, Text } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { type RefText, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { getId, getItems, LoadedGrid } from "../../parts/grid/loaded-grid.tsx";
import { useQueryParameters } from "../../parts/grid/use-query-parameters.ts";
import { AddButton } from "../../parts/icon-button.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { ModelHead } from "../../parts/model/model-head.tsx";
import { Count, PageBody, PageHeader, Section, SplitView } from "../../parts/page.tsx";
import { TagChip } from "../../parts/tag-chip.tsx";
import { CreateTag } from "../../parts/tags/create-tag.tsx";
import { TagPanel } from "../../parts/tags/tag-panel.tsx";
import { KeyText, ObjectName } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";

type Group = OutputOf<"tag/tag_group_list">["items"][number];

const GLOBAL = { filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "global" } }] } } as const;

/** Global tags and their groups. */
export function TagsScreen(): ReactNode {
  const say = useWords("tags");
  const may = useMay();
  const navigate = useNavigate();
  const { search, change } = useQueryParameters();
  const show = search.show === "groups" ? "groups" : "tags";
  const openKey = search.open;
  const tags = useRead("tag/tag_search", { filters: { items: [...GLOBAL.filters.items] } });
  const groups = useRead("tag/tag_group_list", {});
  const tagColumns = useTagColumns();
  const groupColumns = useGroupColumns(tags.data?.body.items);
  const open = (key: string | undefined): Promise<void> =>
    change({ open: key, do: undefined }, { replace: openKey !== undefined && key !== undefined });
  const tag = show === "tags" ? tags.data?.body.items.find((row) => formatTagKey(row) === openKey) : undefined;
  const group = show === "groups" ? groups.data?.body.items.find(({ key }) => key === openKey) : undefined;
  const object = tag ?? group;
  const hasGroups = (groups.data?.body.items.length ?? 0) > 0;
  const addGroup = may("tag/tag_group_create") && (
    <AddButton label={say("addGroup")} run={() => navigate({ to: ".", search: { show: "groups", do: "create" } })} />
  );
  const addTag = may("tag/tag_global_create") && (
    <AddButton label={say("addTag")} run={() => change({ do: "create" })} />
  );
  return (
    <SplitView
      panel={
        object && (
          <TagPanel
            key={object.id}
            target={{ kind: tag ? "global" : "group", id: object.id }}
            title={object.name || object.key}
            close={() => open(undefined)}
            openNewKey={(key) => open(tag?.group ? `${tag.group.key}/${key}` : key)}
          />
        )
      }
    >
      <PageHeader title={say("globalTags")} />
      <PageBody>
        <Tabs
          value={show}
          keepMounted={false}
          onChange={(next) => void navigate({ to: ".", search: next === "groups" ? { show: "groups" } : {} })}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="tags">
              {say("tags")} {tags.data && <Count>{tags.data.body.items.length}</Count>}
            </Tabs.Tab>
            <Tabs.Tab value="groups">
              {say("groups")} {groups.data && <Count>{groups.data.body.items.length}</Count>}
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="tags">
            <LoadedGrid
              getRows={getItems}
              getId={getId}
              name="global-tags"
              label={say("globalTags")}
              read={tags}
              columns={tagColumns}
              open={(row) => open(formatTagKey(row))}
              openId={tag?.id}
              tools={addTag}
              empty={
                <EmptyState
                  title={say("noGlobalTags")}
                  text={say("noGlobalTagsText")}
                  // Every global tag needs a group, so creating a group comes first.
                  action={hasGroups ? addTag : addGroup}
                />
              }
            />
          </Tabs.Panel>
          <Tabs.Panel value="groups">
            <LoadedGrid
              getRows={getItems}
              getId={getId}
              name="tag-groups"
              label={say("groups")}
              read={groups}
              columns={groupColumns}
              open={({ key }) => open(key)}
              openId={group?.id}
              tools={addGroup}
              empty={<EmptyState title={say("noGroups")} text={say("noGroupsText")} action={addGroup} />}
            />
          </Tabs.Panel>
        </Tabs>
      </PageBody>
      {search.do === "create" && (
        <CreateTag
          scope={{ kind: show === "tags" ? "global" : "group" }}
          close={() => open(undefined)}
          onCreated={open}
        />
      )}
    </SplitView>
  );
}

function useGroupColumns(tags: readonly TagRow[] | undefined): readonly Column<Group>[] {
  const say = useWords("tags");
  return useMemo(() => {
    const countTags = ({ id }: Group) => tags?.filter(({ group }) => group?.id === id).length ?? 0;
    return [
      {
        id: "group",
        title: say("group"),
        width: 320,
        getText: ({ key, name }) => `${name ?? ""} ${key}`.trim(),
        renderCell: ({ key, name }) => <ObjectName name={name} objectKey={key} />,
      },
      {
        id: "count",
        title: say("tags"),
        width: 110,
        align: "end",
        getText: (row) => String(countTags(row)),
        compareRows: (a, b) => countTags(a) - countTags(b),
      },
      { id: "description", title: say("description"), getText: ({ description }) => description ?? "" },
    ];
  }, [say, tags]);
}

/** Counts the uses of each tag in a model, by its ref: `key:<tag>` or `key:<group>/<tag>`. */
export function countTagUses(document: OutputOf<"model/model_export">): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (owner: { readonly tags?: readonly string[] | undefined }) => {
    for (const ref of owner.tags ?? []) counts.set(ref, (counts.get(ref) ?? 0) + 1);
  };
  count(document);
  for (const owner of [...document.entities, ...document.relationships]) {
    count(owner);
    for (const attribute of owner.attributes) count(attribute);
  }
  return counts;
}

/** Tags of a model: local ones, and the global ones that it uses. */
export function ModelTagsScreen(): ReactNode {
  const modelRef = toRef(useParams({ strict: false }).modelRef ?? "");
  const read = useRead("model/model_get", { modelRef });
  return <LoadedBody read={read}>{({ id }) => <ModelTags modelRef={modelRef} modelId={id} />}</LoadedBody>;
}

interface ModelTagsProps {
  readonly modelRef: RefText;
  readonly modelId: string;
}

function ModelTags({ modelRef, modelId }: ModelTagsProps) {
  const say = useWords("tags");
  const may = useMay();
  const { search, change } = useQueryParameters();
  const read = useRead("tag/tag_search", {
    filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "model", id: modelId } }] },
  });
  const document = useRead("model/model_export", { modelRef }).data?.body;
  const counts = useMemo(() => document && countTagUses(document), [document]);
  const columns = useTagColumns(counts);
  const open = (tag: string | undefined): Promise<void> =>
    change({ tag, do: undefined }, { replace: search.tag !== undefined && tag !== undefined });
  const openTag = read.data?.body.items.find(({ key }) => key === search.tag);
  const usedTags = (document?.tagGroups ?? []).flatMap(({ key: group, tags }) =>
    tags.map((tag) => ({ ...tag, key: `${group}/${tag.key}` })),
  );
  const create = may("tag/tag_local_create") && (
    <AddButton label={say("addTag")} run={() => change({ do: "create" })} />
  );
  return (
    <SplitView
      panel={
        openTag && (
          <TagPanel
            key={openTag.id}
            target={{ kind: "local", modelRef, id: openTag.id }}
            title={openTag.name || openTag.key}
            close={() => open(undefined)}
            openNewKey={open}
          />
        )
      }
    >
      <ModelHead modelRef={modelRef} title={say("tags")} />
      <PageBody>
        <Section title={say("localTags")} count={read.data?.body.items.length}>
          <LoadedGrid
            getRows={getItems}
            getId={getId}
            name="local-tags"
            label={say("tags")}
            read={read}
            columns={columns}
            open={({ key }) => open(key)}
            openId={openTag?.id}
            tools={create}
            empty={<EmptyState title={say("noTags")} text={say("noLocalTagsText")} action={create} />}
          />
        </Section>
        <Section
          title={say("usedHere")}
          {...(document && { count: usedTags.length })}
          actions={
            <LinkButton to="/tags" variant="subtle" size="compact-sm">
              {say("allGlobal")}
            </LinkButton>
          }
        >
          {document && usedTags.length === 0 && <Text c="dimmed">{say("noneUsedHere")}</Text>}
          <ul style={{ display: "flex", flexWrap: "wrap", gap: 8, margin: 0, padding: 0, listStyle: "none" }}>
            {usedTags.map((tag) => (
              <li key={tag.id}>
                <TagChip tag={tag} /> <span className="tiny quiet">{counts?.get(`key:${tag.key}`) ?? 0}</span>
              </li>
            ))}
          </ul>
        </Section>
      </PageBody>
      {search.do === "create" && (
        <CreateTag scope={{ kind: "local", modelRef }} close={() => open(undefined)} onCreated={open} />
      )}
    </SplitView>
  );
}

type TagRow = OutputOf<"tag/tag_search">["items"][number];

const formatTagKey = ({ key, group }: TagRow) => (group ? `${group.key}/${key}` : key);

function useTagColumns(counts?: ReadonlyMap<string, number>): readonly Column<TagRow>[] {
  const say = useWords("tags");
  return useMemo(() => {
    const countUses = (row: TagRow) => counts?.get(`key:${formatTagKey(row)}`) ?? 0;
    const uses: Column<TagRow> = {
      id: "uses",
      title: say("uses"),
      width: 110,
      align: "end",
      getText: (row) => String(countUses(row)),
      compareRows: (a, b) => countUses(a) - countUses(b),
    };
    return [
      {
        id: "tag",
        title: say("tag"),
        width: 300,
        getText: (row) => `${row.name ?? ""} ${formatTagKey(row)}`.trim(),
        renderCell: (row) => <TagChip tag={{ id: row.id, key: formatTagKey(row), name: row.name }} />,
      },
      {
        id: "key",
        title: say("key"),
        width: 300,
        getText: formatTagKey,
        renderCell: (row) => <KeyText value={formatTagKey(row)} most={36} />,
      },
      ...(counts ? [uses] : []),
      { id: "description", title: say("description"), getText: ({ description = "" }) => description, isEnglish: true },
    ];
  }, [say, counts]);
}
