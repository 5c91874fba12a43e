import { Button, Group, Stack } from "@mantine/core";
import { IconFocusCentered } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { memo, type ReactNode, useCallback, useMemo } from "react";
import type { DiagramGraph, DiagramRelationship } from "../../../shared/diagram/diagram-graph.ts";
import { createGraph } from "../../../shared/diagram/graph-of-model.ts";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import { useRead } from "../../api/reads.ts";
import { toKeyRef, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { Choice } from "../../parts/diagram/diagram-canvas.tsx";
import { DiagramSkeleton } from "../../parts/diagram/diagram-skeleton.tsx";
import { getCardinalityWord } from "../../parts/diagram/spoken-labels.ts";
import { TagLegend } from "../../parts/diagram/tag-legend.tsx";
import { useDiagram } from "../../parts/diagram/use-diagram.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { loadLazily } from "../../parts/lazily-loaded.tsx";
import { LinkButton, PastLink, PathLink } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { ModelHead } from "../../parts/model/model-head.tsx";
import { getObjectPath } from "../../parts/object-path.ts";
import { Panel, SplitView } from "../../parts/page.tsx";
import { TagRow } from "../../parts/tag-chip.tsx";
import { MarkdownText } from "../../parts/text/editable-text.tsx";
import { KeyText, ObjectName } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";
import { EntityParts, type EntityPartsProps, Part } from "./described-parts.tsx";
import {
  type ChangeSearch,
  createTagFinder,
  type DiagramSearch,
  findChoice,
  findVisibleNodes,
  toChoiceSearch,
} from "./diagram-choice.ts";
import styles from "./diagram-screen.module.css";
import { DiagramTools } from "./diagram-tools.tsx";

const route = getRouteApi("/shell/models/$modelRef/diagram");

/** Diagram of the entities and relationships of a model. */
export function DiagramScreen(): ReactNode {
  const { modelRef } = route.useParams();
  const read = useRead("model/model_export", { modelRef: toRef(modelRef) });
  return (
    <LoadedBody read={read} skeleton={<DiagramSkeleton hasHead />} past={<PastLink modelRef={toRef(modelRef)} />}>
      {(body) => <DiagramPage key={body.id} modelRef={modelRef} document={body as ModelDocument} />}
    </LoadedBody>
  );
}

const DiagramCanvas = loadLazily(
  async () => (await import("../../parts/diagram/diagram-canvas.tsx")).DiagramCanvas,
  () => <DiagramSkeleton />,
);

const NO_TAGS: readonly string[] = [];

interface DiagramPageProps {
  readonly modelRef: string;
  readonly document: ModelDocument;
}

function DiagramPage({ modelRef, document }: DiagramPageProps) {
  const say = useWords("diagram");
  const may = useMay();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const { focus, distance, tags = NO_TAGS, view, entity, relationship } = search;
  const graph = useMemo(() => createGraph(document), [document]);
  const { diagram, reason } = useDiagram(graph, document.id ?? document.key);
  const choice = useMemo(() => findChoice(graph, { entity, relationship }), [graph, entity, relationship]);
  const visibleIds = useMemo(() => findVisibleNodes(graph, { focus, distance, tags }), [graph, focus, distance, tags]);
  const findTag = useMemo(() => createTagFinder(graph.tags, tags), [graph, tags]);
  const change = useCallback<ChangeSearch>(
    (next, replace = true) => void navigate({ search: (before) => ({ ...before, ...next }), replace }),
    [navigate],
  );
  const choose = useCallback((next: Choice | undefined) => change(toChoiceSearch(graph, next)), [change, graph]);
  const chooseTags = (refs: readonly string[]) => change({ tags: refs.length > 0 ? refs : undefined });
  const legend = graph.tags.length > 0 && <TagLegend tags={graph.tags} choices={tags} choose={chooseTags} />;
  const isList = view === "list" || reason !== undefined;
  return (
    <SplitView
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
        <ModelHead modelRef={modelRef} title={say("diagram")} />
        {graph.entities.length === 0 && (
          <EmptyState
            title={say("noEntities")}
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
          <DiagramTools graph={graph} diagram={diagram} findTag={findTag} search={search} change={change} />
        )}
        {reason !== undefined && <EmptyState title={say("failed")} text={say("failedText", { reason })} />}
        {isList && <DiagramList graph={graph} visibleIds={visibleIds} change={change} />}
        {!isList && graph.entities.length > 0 && !diagram && <DiagramSkeleton />}
        {!isList && graph.entities.length > 0 && diagram && (
          <DiagramCanvas
            diagram={diagram}
            choice={choice}
            choose={choose}
            subset={visibleIds}
            findTag={findTag}
            legend={legend}
          />
        )}
      </div>
    </SplitView>
  );
}

interface DiagramListProps {
  readonly graph: DiagramGraph;
  readonly visibleIds: ReadonlySet<string> | undefined;
  readonly change: ChangeSearch;
}

const DiagramList = memo(function DiagramList({ graph, visibleIds, change }: DiagramListProps): ReactNode {
  const say = useWords("diagram");
  const entities = graph.entities.filter(({ id }) => visibleIds === undefined || visibleIds.has(id));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={styles.list} aria-label={say("list")} tabIndex={0}>
      {entities.length === 0 && <p>{say("noneShown")}</p>}
      {entities.map((entity) => (
        <EntityItem key={entity.id} graph={graph} entity={entity} change={change} />
      ))}
    </section>
  );
});

function EntityItem({ graph, entity, change }: EntityPartsProps) {
  const say = useWords("diagram");
  const show = () => change({ entity: `key:${entity.key}`, relationship: undefined, view: undefined }, false);
  return (
    <article className={styles.item} aria-labelledby={`entity-${entity.id}`}>
      <div className={styles.itemHead}>
        <h2 id={`entity-${entity.id}`}>
          <ObjectName name={entity.name} objectKey={entity.key} />
        </h2>
        <ObjectTags graph={graph} refs={entity.tags} most={6} />
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${say("showInDiagram")}: ${entity.name || entity.key}`}
          onClick={show}
        >
          {say("showInDiagram")}
        </Button>
      </div>
      <div className={styles.columns}>
        <EntityParts graph={graph} entity={entity} change={change} />
      </div>
    </article>
  );
}

interface DiagramPanelProps {
  readonly modelRef: string;
  readonly document: ModelDocument;
  readonly graph: DiagramGraph;
  readonly choice: Choice;
  readonly search: DiagramSearch;
  readonly change: ChangeSearch;
}

function DiagramPanel({ modelRef, document, graph, choice, search, change }: DiagramPanelProps) {
  const say = useWords("diagram");
  const entity = choice.is === "entity" ? graph.entities.find(({ id }) => id === choice.id) : undefined;
  const relationship =
    choice.is === "relationship" ? graph.relationships.find(({ id }) => id === choice.id) : undefined;
  const object = entity ?? relationship;
  if (!object) return null;
  const definition = (entity ? document.entities : document.relationships).find(({ key }) => key === object.key);
  const ref = toKeyRef(object.key);
  return (
    <Panel
      title={object.name || object.key}
      heading={<ObjectName name={object.name} objectKey={object.key} />}
      close={() => change({ entity: undefined, relationship: undefined })}
    >
      <Stack gap="md">
        <Group gap="xs">
          <Button
            component={PathLink}
            path={getObjectPath({ modelRef, ...(entity ? { entityRef: ref } : { relationshipRef: ref }) })}
            variant="default"
            size="compact-md"
          >
            {say(entity ? "openEntity" : "openRelationship")}
          </Button>
          {entity && search.focus !== ref && (
            <Button
              variant="default"
              size="compact-md"
              leftSection={<IconFocusCentered size={16} aria-hidden />}
              onClick={() => change({ focus: ref, view: undefined }, false)}
            >
              {say("focusOn")}
            </Button>
          )}
        </Group>
        <ObjectTags graph={graph} refs={object.tags} />
        {definition?.description && <MarkdownText text={definition.description} />}
        {entity && <EntityParts graph={graph} entity={entity} change={change} />}
        {relationship && <RelationshipParts graph={graph} relationship={relationship} change={change} />}
      </Stack>
    </Panel>
  );
}

interface ObjectTagsProps {
  readonly graph: DiagramGraph;
  readonly refs: readonly string[];
  readonly most?: number;
}

function ObjectTags({ graph, refs, ...rest }: ObjectTagsProps) {
  const tags = graph.tags.filter(({ ref }) => refs.includes(ref));
  return tags.length > 0 && <TagRow tags={tags.map(({ ref, ...tag }) => ({ id: ref, ...tag }))} {...rest} />;
}

interface RelationshipPartsProps {
  readonly graph: DiagramGraph;
  readonly relationship: DiagramRelationship;
  readonly change: ChangeSearch;
}

function RelationshipParts({ graph, relationship, change }: RelationshipPartsProps) {
  const say = useWords("diagram");
  const entities = new Map(graph.entities.map((entity) => [entity.id, entity]));
  const [one, other] = relationship.ends;
  return (
    <>
      <Part title={say("roles")}>
        <ul className={styles.lines}>
          {relationship.ends.map((end) => {
            const entity = entities.get(end.entity);
            return (
              <li key={end.key}>
                <span className="grow" lang="en" dir="auto">
                  {end.name || <KeyText value={end.key} strong />}
                </span>
                <button
                  type="button"
                  className={styles.textButton}
                  lang="en"
                  dir="auto"
                  onClick={() => change({ entity: `key:${entity?.key}`, relationship: undefined })}
                >
                  {entity?.name || entity?.key}
                </button>
                <span className="small quiet">{say(getCardinalityWord(end.cardinality))}</span>
              </li>
            );
          })}
        </ul>
      </Part>
      {one && one.attributes.length > 0 && (
        <Part title={say("joinedBy")}>
          <ul className={styles.lines}>
            {one.attributes.map((attribute, at) => (
              <li key={`${attribute} ${other?.attributes[at]}`} className="mono small break" lang="en">
                {entities.get(one.entity)?.key}.{attribute} = {entities.get(other?.entity ?? "")?.key}.
                {other?.attributes[at]}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}
