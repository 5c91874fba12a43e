import { ActionIcon, SegmentedControl, Select, Text, Tooltip } from "@mantine/core";
import { IconFocusCentered, IconSearch, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { DiagramGraph } from "../../../shared/diagram/diagram-graph.ts";
import type { DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import { DISTANCES } from "../../../shared/diagram/neighbours.ts";
import type { Diagram } from "../../parts/diagram/use-diagram.ts";
import { useDiagramWords } from "../../words/diagram.ts";
import { ArrangeButton } from "./arrange-button.tsx";
import { focusOf } from "./diagram-choice.ts";
import styles from "./diagram-screen.module.css";
import { type ChangeSearch, type DiagramSearch, distanceOf } from "./diagram-search.ts";
import { ExportMenu } from "./export-menu.tsx";

interface DiagramToolsProps {
  readonly graph: DiagramGraph;
  readonly diagram: Diagram | undefined;
  readonly tagOf: (node: DiagramNode) => number | undefined;
  readonly search: DiagramSearch;
  readonly change: ChangeSearch;
}

/** What stands over the diagram: find, focus, view, arrange, export. */
export function DiagramTools({ graph, diagram, tagOf, search, change }: DiagramToolsProps): ReactNode {
  const say = useDiagramWords();
  const focused = focusOf(graph, search);
  return (
    <div className={styles.whole}>
      <div className={styles.tools}>
        <Select
          className={styles.find}
          searchable
          clearable
          size="sm"
          limit={60}
          aria-label={say("find")}
          placeholder={say("find")}
          nothingFoundMessage={say("nothing")}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search.entity ?? null}
          onChange={(entity) => change({ entity: entity ?? undefined, relationship: undefined }, false)}
          data={graph.entities.map(({ key, name }) => ({
            value: `key:${key}`,
            label: name && name !== key ? `${name} (${key})` : key,
          }))}
        />
        {focused && <FocusBar name={focused.name || focused.key} search={search} change={change} />}
        <div className={styles.space} />
        <SegmentedControl
          size="sm"
          role="radiogroup"
          aria-label={say("view")}
          value={search.view ?? "diagram"}
          onChange={(view) => change({ view: view === "list" ? "list" : undefined }, false)}
          data={[
            { value: "diagram", label: say("asDiagram") },
            { value: "list", label: say("asList") },
          ]}
        />
        {diagram && search.view !== "list" && <ArrangeButton diagram={diagram} />}
        {diagram && <ExportMenu diagram={diagram} tagOf={tagOf} />}
      </div>
    </div>
  );
}

interface FocusBarProps {
  /** Of the entity in the focus. */
  readonly name: string;
  readonly search: DiagramSearch;
  readonly change: ChangeSearch;
}

function FocusBar({ name, search, change }: FocusBarProps): ReactNode {
  const say = useDiagramWords();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look of its own
    <div className={styles.focus} role="group" aria-label={say("focusOf", { name })}>
      <IconFocusCentered size={16} aria-hidden />
      <Text size="sm" className={styles.focusName} lang="en" dir="auto">
        {name}
      </Text>
      <SegmentedControl
        size="xs"
        role="radiogroup"
        aria-label={say("distance")}
        value={String(distanceOf(search))}
        onChange={(distance) => change({ distance: Number(distance) })}
        data={DISTANCES.map((distance) => ({ value: String(distance), label: `+${distance}` }))}
      />
      <Tooltip label={say("endFocus")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={say("endFocus")}
          onClick={() => change({ focus: undefined, distance: undefined }, false)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
