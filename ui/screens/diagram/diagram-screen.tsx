import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useCallback, useMemo } from "react";
import { graphOfModel } from "../../../shared/diagram/graph-of-model.ts";
import type { ModelDocument } from "../../../shared/domain/document.ts";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { Choice } from "../../parts/diagram/diagram-canvas.tsx";
import { DiagramSkeleton } from "../../parts/diagram/diagram-skeleton.tsx";
import { TagLegend } from "../../parts/diagram/tag-legend.tsx";
import { useDiagram } from "../../parts/diagram/use-diagram.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { ModelHead } from "../../parts/model-head.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { Split } from "../../parts/panel.tsx";
import { PastLink } from "../../parts/past-link.tsx";
import { useDiagramWords } from "../../words/diagram.ts";
import { choiceOf, searchOfChoice, shownOf, tagChooser } from "./diagram-choice.ts";
import styles from "./diagram-screen.module.css";
import type { ChangeSearch } from "./diagram-search.ts";
import { DiagramTools } from "./diagram-tools.tsx";

const DiagramPanel = openedLater(async () => (await import("./diagram-panel.tsx")).DiagramPanel);
const DiagramList = openedLater(async () => (await import("./diagram-list.tsx")).DiagramList);

const route = getRouteApi("/shell/models/$modelRef/diagram");

/** The entities and relationships of a model, drawn. */
export function Screen(): ReactNode {
  const { modelRef } = route.useParams();
  const read = useRead("model/model_export", { modelRef: refOf(modelRef) });
  return (
    <Loaded read={read} skeleton={<DiagramSkeleton hasHead />} past={<PastLink modelRef={refOf(modelRef)} />}>
      {(body) => <DiagramPage key={body.id} modelRef={modelRef} document={body as ModelDocument} />}
    </Loaded>
  );
}

const DiagramCanvas = openedLater(
  async () => (await import("../../parts/diagram/diagram-canvas.tsx")).DiagramCanvas,
  () => <DiagramSkeleton />,
);

const NO_TAGS: readonly string[] = [];

interface DiagramPageProps {
  readonly modelRef: string;
  readonly document: ModelDocument;
}

function DiagramPage({ modelRef, document }: DiagramPageProps): ReactNode {
  const say = useDiagramWords();
  const may = useMay();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const { focus, distance, tags = NO_TAGS, view, entity, relationship } = search;
  const graph = useMemo(() => graphOfModel(document), [document]);
  const { diagram, reason } = useDiagram(graph, document.id ?? document.key);
  const choice = useMemo(() => choiceOf(graph, { entity, relationship }), [graph, entity, relationship]);
  const shown = useMemo(() => shownOf(graph, { focus, distance, tags }), [graph, focus, distance, tags]);
  const tagOf = useMemo(() => tagChooser(graph.tags, tags), [graph, tags]);
  const change = useCallback<ChangeSearch>(
    (next, replace = true) => void navigate({ search: (before) => ({ ...before, ...next }), replace }),
    [navigate],
  );
  const choose = useCallback((next: Choice | undefined) => change(searchOfChoice(graph, next)), [change, graph]);
  const chooseTags = (refs: readonly string[]): void => change({ tags: refs.length > 0 ? refs : undefined });
  const legend = graph.tags.length > 0 && <TagLegend tags={graph.tags} chosen={tags} choose={chooseTags} />;
  const isList = view === "list" || reason !== undefined;
  return (
    <Split
      panel={
        choice && (
          <DiagramPanel
            modelRef={modelRef}
            document={document}
            graph={graph}
            choice={choice}
            search={search}
            change={change}
          />
        )
      }
    >
      <div className={styles.screen}>
        <ModelHead modelRef={modelRef} title={say("title")} />
        {graph.entities.length === 0 && (
          <EmptyState
            title={say("emptyTitle")}
            text={say("emptyText")}
            action={
              may("model/entity_create") && (
                <LinkButton to="/models/$modelRef" params={{ modelRef }} search={{ do: "create" }}>
                  {say("addEntity")}
                </LinkButton>
              )
            }
          />
        )}
        {graph.entities.length > 0 && (
          <DiagramTools graph={graph} diagram={diagram} tagOf={tagOf} search={search} change={change} />
        )}
        {reason !== undefined && <EmptyState title={say("failed")} text={say("failedText", { reason })} />}
        {isList && <DiagramList graph={graph} shown={shown} change={change} />}
        {!isList && graph.entities.length > 0 && (
          <>
            {!diagram && <DiagramSkeleton />}
            {diagram && (
              <DiagramCanvas
                diagram={diagram}
                chosen={choice}
                choose={choose}
                shown={shown}
                tagOf={tagOf}
                legend={legend}
              />
            )}
          </>
        )}
      </div>
    </Split>
  );
}
