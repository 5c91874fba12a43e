import { Button } from "@mantine/core";
import { memo, type ReactNode } from "react";
import type { DiagramEntity, DiagramGraph } from "../../../shared/diagram/diagram-graph.ts";
import { Named } from "../../parts/key-text.tsx";
import { TagRow } from "../../parts/tag-chip.tsx";
import { useDiagramWords } from "../../words/diagram.ts";
import { AttributeLines, RelationshipLines } from "./described-parts.tsx";
import styles from "./diagram-screen.module.css";
import type { ChangeSearch } from "./diagram-search.ts";

interface DiagramListProps {
  readonly graph: DiagramGraph;
  /** The nodes that the focus and the tags leave in sight; all where undefined. */
  readonly shown: ReadonlySet<string> | undefined;
  readonly change: ChangeSearch;
}

/** What the diagram shows, as text: for screen readers, for the keyboard, and to look something up. */
export const DiagramList = memo(function DiagramList({ graph, shown, change }: DiagramListProps): ReactNode {
  const say = useDiagramWords();
  const entities = graph.entities.filter(({ id }) => shown === undefined || shown.has(id));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className={styles.list} aria-label={say("asList")} tabIndex={0}>
      {entities.length === 0 && <p>{say("noneShown")}</p>}
      {entities.map((entity) => (
        <EntityItem key={entity.id} graph={graph} entity={entity} change={change} />
      ))}
    </section>
  );
});

interface EntityItemProps {
  readonly graph: DiagramGraph;
  readonly entity: DiagramEntity;
  readonly change: ChangeSearch;
}

function EntityItem({ graph, entity, change }: EntityItemProps): ReactNode {
  const say = useDiagramWords();
  const tags = graph.tags.filter(({ ref }) => entity.tags.includes(ref));
  const show = (): void => change({ entity: `key:${entity.key}`, relationship: undefined, view: undefined }, false);
  const hasLines = graph.relationships.some(({ ends }) => ends.some((end) => end.entity === entity.id));
  return (
    <article className={styles.item} aria-labelledby={`entity-${entity.id}`}>
      <div className={styles.itemHead}>
        <h2 id={`entity-${entity.id}`}>
          <Named name={entity.name} objectKey={entity.key} />
        </h2>
        <TagRow tags={tags.map(({ ref, key, name }) => ({ id: ref, key, name }))} most={6} />
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
        <div className={styles.part}>
          <h3>{say("attributes", { count: entity.attributes.length })}</h3>
          <AttributeLines entity={entity} />
        </div>
        {hasLines && (
          <div className={styles.part}>
            <h3>{say("relationshipsOf")}</h3>
            <RelationshipLines
              graph={graph}
              entity={entity}
              open={({ key }) => change({ entity: undefined, relationship: `key:${key}` })}
            />
          </div>
        )}
      </div>
    </article>
  );
}
