import type { ReactNode } from "react";
import type { DiagramEntity, DiagramGraph, DiagramRelationship } from "../../../shared/diagram/diagram-graph.ts";
import { hasOwnName } from "../../../shared/diagram/diagram-nodes.ts";
import { KeyMark, SignMark } from "../../parts/diagram/marks.tsx";
import { getCardinalityWord } from "../../parts/diagram/spoken-labels.ts";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";
import type { ChangeSearch } from "./diagram-choice.ts";
import styles from "./diagram-screen.module.css";

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Part of a description with its title. */
export function Part({ title, children }: PartProps): ReactNode {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      {children}
    </div>
  );
}

export interface EntityPartsProps {
  readonly graph: DiagramGraph;
  readonly entity: DiagramEntity;
  readonly change: ChangeSearch;
}

/** Attributes of an entity, and its relationships if it has some. */
export function EntityParts({ graph, entity, change }: EntityPartsProps): ReactNode {
  const say = useWords("diagram");
  const own = graph.relationships.filter(({ ends }) => ends.some((end) => end.entity === entity.id));
  return (
    <>
      <Part title={say("countedAttributes", { count: entity.attributes.length })}>
        <AttributeLines entity={entity} />
      </Part>
      {own.length > 0 && (
        <Part title={say("relationships")}>
          <RelationshipLines
            graph={graph}
            entity={entity}
            own={own}
            open={({ key }) => change({ entity: undefined, relationship: `key:${key}` })}
          />
        </Part>
      )}
    </>
  );
}

function AttributeLines({ entity }: { readonly entity: DiagramEntity }) {
  const say = useWords("diagram");
  if (entity.attributes.length === 0) return <p className="small quiet">{say("noAttributes")}</p>;
  return (
    <ul className={styles.lines}>
      {entity.attributes.map((attribute) => (
        <li key={attribute.key}>
          <span className={styles.mark}>
            {attribute.sign ? <SignMark sign={attribute.sign} /> : attribute.inKey && <KeyMark />}
          </span>
          <span className="grow" lang="en" dir="auto">
            {hasOwnName(attribute) && <>{attribute.name} </>}
            <KeyText value={attribute.key} strong={!hasOwnName(attribute)} />
          </span>
          {attribute.optional && <span className="small quiet">{say("optional")}</span>}
          <span className="mono small break quiet" lang="en">
            {attribute.type}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface RelationshipLinesProps {
  readonly graph: DiagramGraph;
  readonly entity: DiagramEntity;
  readonly own: readonly DiagramRelationship[];
  readonly open: (relationship: DiagramRelationship) => void;
}

function RelationshipLines({ graph, entity, own, open }: RelationshipLinesProps) {
  const say = useWords("diagram");
  const names = new Map(graph.entities.map(({ id, key, name }) => [id, name || key]));
  return (
    <ul className={styles.lines}>
      {own.map((relationship) => {
        const isLoop = relationship.ends.every((end) => end.entity === entity.id);
        const others = relationship.ends.filter((end, at) => (isLoop ? at > 0 : end.entity !== entity.id));
        return (
          <li key={relationship.id} className={styles.relationship}>
            <span className={styles.between}>
              <span className="grow" lang="en" dir="auto">
                {others.map((end) => names.get(end.entity) ?? "").join(", ")}
              </span>
              <span className="small quiet">
                {others.map(({ cardinality }) => say(getCardinalityWord(cardinality))).join(", ")}
              </span>
            </span>
            <button type="button" className={styles.textButton} lang="en" dir="auto" onClick={() => open(relationship)}>
              {relationship.name || relationship.key}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
