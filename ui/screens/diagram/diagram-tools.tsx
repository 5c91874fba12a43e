import { Button, SegmentedControl, Select, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconFocusCentered, IconLayout2, IconSearch, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { DiagramGraph } from "../../../shared/diagram/diagram-graph.ts";
import { DISTANCES, type DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import { renderPng, renderSvg } from "../../parts/diagram/diagram-files.ts";
import { useDiagramColours } from "../../parts/diagram/diagram-theme.ts";
import type { Diagram } from "../../parts/diagram/use-diagram.ts";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { downloadFile } from "../../parts/formats/download.ts";
import { IconButton } from "../../parts/icon-button.tsx";
import { ActionMenu } from "../../parts/pickers/action-menu.tsx";
import { useWords } from "../../words/words.ts";
import { type ChangeSearch, type DiagramSearch, findFocus, readDistance } from "./diagram-choice.ts";
import styles from "./diagram-screen.module.css";

interface DiagramToolsProps {
  readonly graph: DiagramGraph;
  readonly diagram: Diagram | undefined;
  readonly findTag: (node: DiagramNode) => number | undefined;
  readonly search: DiagramSearch;
  readonly change: ChangeSearch;
}

/** Tools above the diagram: find, focus, view, arrange, export. */
export function DiagramTools({ graph, diagram, findTag, search, change }: DiagramToolsProps): ReactNode {
  const say = useWords("diagram");
  const node = findFocus(graph, search);
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
        {node && <FocusBar name={node.name || node.key} search={search} change={change} />}
        <div className={styles.space} />
        <SegmentedControl
          size="sm"
          role="radiogroup"
          aria-label={say("view")}
          value={search.view ?? "diagram"}
          onChange={(view) => change({ view: view === "list" ? "list" : undefined }, false)}
          data={[
            { value: "diagram", label: say("diagram") },
            { value: "list", label: say("list") },
          ]}
        />
        {diagram && search.view !== "list" && <ArrangeButton diagram={diagram} />}
        {diagram && <ExportMenu diagram={diagram} findTag={findTag} />}
      </div>
    </div>
  );
}

interface FocusBarProps {
  readonly name: string;
  readonly search: DiagramSearch;
  readonly change: ChangeSearch;
}

function FocusBar({ name, search, change }: FocusBarProps) {
  const say = useWords("diagram");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its own look
    <div className={styles.focus} role="group" aria-label={say("focusOf", { name })}>
      <IconFocusCentered size={16} aria-hidden />
      <Text size="sm" className={styles.focusName} lang="en" dir="auto">
        {name}
      </Text>
      <SegmentedControl
        size="xs"
        role="radiogroup"
        aria-label={say("distance")}
        value={String(readDistance(search))}
        onChange={(distance) => change({ distance: Number(distance) })}
        data={DISTANCES.map((distance) => ({ value: String(distance), label: `+${distance}` }))}
      />
      <Tooltip label={say("endFocus")}>
        <IconButton
          label={say("endFocus")}
          icon={IconX}
          run={() => change({ focus: undefined, distance: undefined }, false)}
        />
      </Tooltip>
    </div>
  );
}

function ArrangeButton({ diagram: { movedCount, arrange } }: { readonly diagram: Diagram }) {
  const say = useWords("diagram");
  const [isAsked, { open, close }] = useDisclosure(false);
  const run = () => {
    arrange();
    close();
  };
  return (
    <>
      <Button variant="default" px={12} aria-label={say("arrange")} disabled={movedCount === 0} onClick={open}>
        <IconLayout2 size={16} aria-hidden />
        <span className={styles.word}>{say("arrange")}</span>
      </Button>
      {isAsked && (
        <Dialog close={close} title={say("arrangeTitle")}>
          <Text mb="md">{say("arrangeText", { count: movedCount })}</Text>
          <DialogButtons close={close}>
            <Button onClick={run}>{say("arrange")}</Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  );
}

interface ExportMenuProps {
  readonly diagram: Diagram;
  readonly findTag: (node: DiagramNode) => number | undefined;
}

function ExportMenu({ diagram, findTag }: ExportMenuProps) {
  const say = useWords("diagram");
  const { colours } = useDiagramColours();
  const [hasFailed, setFailed] = useState(false);
  const createSvg = () => renderSvg(diagram, { colours, findTag, formatMore: (count) => say("more", { count }) });
  const name = `${diagram.graph.modelKey.replace(/[^\w.-]+/g, "_")}-diagram`;
  const downloadSvg = () => downloadFile(`${name}.svg`, "image/svg+xml", createSvg());
  const downloadPng = async () => {
    const png = await renderPng(createSvg()).catch(() => undefined);
    setFailed(png === undefined);
    if (png) downloadFile(`${name}.png`, "image/png", png);
  };
  return (
    <>
      <ActionMenu
        label={say("exportAs")}
        actions={[
          { label: say("exportSvg"), run: downloadSvg },
          { label: say("exportPng"), run: () => void downloadPng() },
        ]}
        button={
          <Button variant="default" px={12} aria-label={say("exportAs")}>
            <IconDownload size={16} aria-hidden />
            <span className={styles.word}>{say("exportAs")}</span>
          </Button>
        }
      />
      {hasFailed && (
        <Text size="sm" c="red" role="alert">
          {say("exportFailed")}
        </Text>
      )}
    </>
  );
}
