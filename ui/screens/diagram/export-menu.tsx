import { Button, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import { ActionMenu } from "../../parts/action-menu.tsx";
import { pngOfSvg, svgOfDiagram } from "../../parts/diagram/diagram-files.ts";
import { useDiagramColours } from "../../parts/diagram/diagram-theme.ts";
import type { Diagram } from "../../parts/diagram/use-diagram.ts";
import { downloadFile } from "../../parts/download.ts";
import { useDiagramWords } from "../../words/diagram.ts";
import styles from "./diagram-screen.module.css";

interface ExportMenuProps {
  readonly diagram: Diagram;
  readonly tagOf: (node: DiagramNode) => number | undefined;
}

/** Hands the diagram to the person as a file: as it stands, in the theme of now. */
export function ExportMenu({ diagram, tagOf }: ExportMenuProps): ReactNode {
  const say = useDiagramWords();
  const { colours } = useDiagramColours();
  const [hasFailed, setFailed] = useState(false);
  const svg = (): string => svgOfDiagram(diagram, { colours, tagOf, moreText: (count) => say("more", { count }) });
  const name = `${diagram.graph.modelKey.replace(/[^\w.-]+/g, "_")}-diagram`;
  const asSvg = (): void => downloadFile(`${name}.svg`, new Blob([svg()], { type: "image/svg+xml" }));
  const asPng = async (): Promise<void> => {
    const png = await pngOfSvg(svg()).catch(() => undefined);
    setFailed(png === undefined);
    if (png) downloadFile(`${name}.png`, png);
  };
  return (
    <>
      <ActionMenu
        label={say("exportAs")}
        actions={[
          { label: say("exportSvg"), run: asSvg },
          { label: say("exportPng"), run: () => void asPng() },
        ]}
        button={(open) => (
          <Button variant="default" px={12} aria-label={say("exportAs")} aria-haspopup="menu" onClick={open}>
            <IconDownload size={16} aria-hidden />
            <span className={styles.word}>{say("exportAs")}</span>
          </Button>
        )}
      />
      {hasFailed && (
        <Text size="sm" c="red" role="alert">
          {say("exportFailed")}
        </Text>
      )}
    </>
  );
}
