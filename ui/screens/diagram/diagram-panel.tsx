import { Button, Group, Stack } from "@mantine/core";
import { IconFocusCentered } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { DiagramEntity, DiagramGraph, DiagramRelationship } from "../../../shared/diagram/diagram-graph.ts";
import type { ModelDocument } from "../../../shared/domain/document.ts";
import type { Choice } from "../../parts/diagram/diagram-canvas.tsx";
import { cardinalityWord } from "../../parts/diagram/spoken-labels.ts";
import { KeyText, Named } from "../../parts/key-text.tsx";
import { MarkdownText } from "../../parts/markdown-text.tsx";
import { Panel } from "../../parts/panel.tsx";
import { TagRow } from "../../parts/tag-chip.tsx";
import { useDiagramWords } from "../../words/diagram.ts";
import { AttributeLines, RelationshipLines } from "./described-parts.tsx";
import styles from "./diagram-screen.module.css";
import type { ChangeSearch, DiagramSearch } from "./diagram-search.ts";

interface DiagramPanelProps {
  readonly modelRef: string;
  readonly document: ModelDocument;
  readonly graph: DiagramGraph;
  readonly choice: Choice;
  readonly search: DiagramSearch;
  readonly change: ChangeSearch;
}

/** The panel of the entity or relationship that is chosen. */
export function DiagramPanel(props: DiagramPanelProps): ReactNode {
  const { graph, choice, change } = props;
  const entity = graph.entities.find(({ id }) => id === choice.id);
  const relationship = graph.relationships.find(({ id }) => id === choice.id);
  const chosen = choice.is === "entity" ? entity : relationship;
  if (!chosen) return null;
  return (
    <Panel
      title={chosen.name || chosen.key}
      heading={<Named name={chosen.name} objectKey={chosen.key} />}
      close={() => change({ entity: undefined, relationship: undefined })}
    >
      {choice.is === "entity" && entity && <EntityPart {...props} entity={entity} />}
      {choice.is === "relationship" && relationship && <RelationshipPart {...props} relationship={relationship} />}
    </Panel>
  );
}

function TagsOf({ graph, refs }: { readonly graph: DiagramGraph; readonly refs: readonly string[] }): ReactNode {
  const tags = graph.tags.filter(({ ref }) => refs.includes(ref));
  return tags.length > 0 && <TagRow tags={tags.map(({ ref, key, name }) => ({ id: ref, key, name }))} />;
}

function EntityPart({
  modelRef,
  document,
  graph,
  entity,
  search,
  change,
}: DiagramPanelProps & { readonly entity: DiagramEntity }) {
  const say = useDiagramWords();
  const description = document.entities.find(({ key }) => key === entity.key)?.description;
  const ref = `key:${entity.key}`;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button
          component={Link}
          to="/models/$modelRef/entities/$entityRef"
          params={{ modelRef, entityRef: ref } as never}
          variant="default"
          size="compact-md"
        >
          {say("openEntity")}
        </Button>
        {search.focus !== ref && (
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
      <TagsOf graph={graph} refs={entity.tags} />
      {description && <MarkdownText text={description} />}
      <div className={styles.part}>
        <h3>{say("attributes", { count: entity.attributes.length })}</h3>
        <AttributeLines entity={entity} />
      </div>
      {graph.relationships.some(({ ends }) => ends.some((end) => end.entity === entity.id)) && (
        <div className={styles.part}>
          <h3>{say("relationshipsOf")}</h3>
          <RelationshipLines
            graph={graph}
            entity={entity}
            open={({ key }) => change({ entity: undefined, relationship: `key:${key}` })}
          />
        </div>
      )}
    </Stack>
  );
}

function RelationshipPart({
  modelRef,
  document,
  graph,
  relationship,
  change,
}: DiagramPanelProps & { readonly relationship: DiagramRelationship }) {
  const say = useDiagramWords();
  const description = document.relationships.find(({ key }) => key === relationship.key)?.description;
  const entities = new Map(graph.entities.map((entity) => [entity.id, entity]));
  const [one, other] = relationship.ends;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button
          component={Link}
          to="/models/$modelRef/relationships/$relationshipRef"
          params={{ modelRef, relationshipRef: `key:${relationship.key}` } as never}
          variant="default"
          size="compact-md"
        >
          {say("openRelationship")}
        </Button>
      </Group>
      <TagsOf graph={graph} refs={relationship.tags} />
      {description && <MarkdownText text={description} />}
      <div className={styles.part}>
        <h3>{say("roles")}</h3>
        <ul className={styles.lines}>
          {relationship.ends.map((end) => {
            const entity = entities.get(end.entity);
            return (
              <li key={end.key}>
                <span className={styles.grow} lang="en" dir="auto">
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
                <span className={styles.dim}>{say(cardinalityWord(end.cardinality))}</span>
              </li>
            );
          })}
        </ul>
      </div>
      {one && one.attributes.length > 0 && (
        <div className={styles.part}>
          <h3>{say("joinedBy")}</h3>
          <ul className={styles.lines}>
            {one.attributes.map((attribute, at) => (
              <li key={`${attribute} ${other?.attributes[at]}`} className={styles.mono} lang="en">
                {entities.get(one.entity)?.key}.{attribute} = {entities.get(other?.entity ?? "")?.key}.
                {other?.attributes[at]}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}
