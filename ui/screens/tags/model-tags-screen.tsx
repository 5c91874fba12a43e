import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { type RefText, refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { ModelHead } from "../../parts/model-head.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { Split } from "../../parts/panel.tsx";
import { Section } from "../../parts/section.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { TagChip } from "../../parts/tag-chip.tsx";
import { useTagsWords } from "../../words/tags.ts";
import { useTagColumns } from "./tag-columns.tsx";
import { tagCounts } from "./tag-counts.ts";

const CreateLocalTag = openedLater(async () => (await import("../../parts/tags/create-tag.tsx")).CreateLocalTag);
const TagPanel = openedLater(async () => (await import("../../parts/tags/tag-panel.tsx")).TagPanel);

const route = getRouteApi("/shell/models/$modelRef/tags");

/** The tags of one model: its own, and the global ones that mark something in it. */
export function Screen(): ReactNode {
  const modelRef = refOf(route.useParams().modelRef);
  const read = useRead("model/model_get", { modelRef });
  return <Loaded read={read}>{({ id }) => <ModelTags modelRef={modelRef} modelId={id} />}</Loaded>;
}

interface ModelTagsProps {
  readonly modelRef: RefText;
  readonly modelId: string;
}

function ModelTags({ modelRef, modelId }: ModelTagsProps): ReactNode {
  const say = useTagsWords();
  const may = useMay();
  const { do: action, tag: openKey, ...view } = route.useSearch();
  const navigate = route.useNavigate();
  const read = useRead("tag/tag_search", {
    filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "model", id: modelId } }] },
  });
  const document = useRead("model/model_export", { modelRef }).data?.body;
  const counts = useMemo(() => document && tagCounts(document), [document]);
  const columns = useTagColumns(counts);
  const open = (tag: string | undefined): Promise<void> =>
    navigate({
      search: (before) => ({ ...before, tag, do: undefined }),
      replace: openKey !== undefined && tag !== undefined,
    });
  const opened = read.data?.body.items.find(({ key }) => key === openKey);
  const used = (document?.tagGroups ?? []).flatMap(({ key: group, tags }) =>
    tags.map((tag) => ({ ...tag, key: `${group}/${tag.key}` })),
  );
  const create = may("tag/tag_local_create") && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ search: (before) => ({ ...before, do: "create" }) })}
    >
      {say("addTag")}
    </Button>
  );
  return (
    <Split
      panel={
        opened && (
          <TagPanel
            key={opened.id}
            place={{ kind: "local", modelRef, id: opened.id }}
            title={opened.name || opened.key}
            close={() => open(undefined)}
            moved={open}
          />
        )
      }
    >
      <ModelHead modelRef={modelRef} title={say("title")} />
      <PageBody>
        <Loaded read={read} skeleton={<TableSkeleton />}>
          {({ items }) => (
            <Section title={say("localTags")} count={items.length}>
              {items.length === 0 ? (
                <EmptyState title={say("noTags")} text={say("noLocalTagsText")} action={create} />
              ) : (
                <DataGrid
                  name="local-tags"
                  label={say("title")}
                  rows={items}
                  idOf={({ id }) => id}
                  columns={columns}
                  view={view}
                  setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
                  open={({ key }) => open(key)}
                  openId={opened?.id}
                  tools={create}
                />
              )}
            </Section>
          )}
        </Loaded>
        <Section
          title={say("usedHere")}
          {...(document && { count: used.length })}
          actions={
            <LinkButton to="/tags" variant="subtle" size="compact-sm">
              {say("allGlobal")}
            </LinkButton>
          }
        >
          {document && used.length === 0 && <Text c="dimmed">{say("noneUsedHere")}</Text>}
          <ul style={{ display: "flex", flexWrap: "wrap", gap: 8, margin: 0, padding: 0, listStyle: "none" }}>
            {used.map((tag) => (
              <li key={tag.id}>
                <TagChip tag={tag} />{" "}
                <Text component="span" fz="xs" c="dimmed">
                  {counts?.get(`key:${tag.key}`) ?? 0}
                </Text>
              </li>
            ))}
          </ul>
        </Section>
      </PageBody>
      {action === "create" && <CreateLocalTag modelRef={modelRef} close={() => open(undefined)} created={open} />}
    </Split>
  );
}
