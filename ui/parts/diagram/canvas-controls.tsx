import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import { type FitViewOptions, useReactFlow } from "@xyflow/react";
import type { ReactNode } from "react";
import { useDiagramWords } from "../../words/diagram.ts";
import styles from "./diagram.module.css";

/** Buttons that zoom a canvas. */
export function CanvasControls({ fit }: { readonly fit: FitViewOptions }): ReactNode {
  const say = useDiagramWords();
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const buttons = [
    { label: say("zoomIn"), icon: IconPlus, run: () => zoomIn({ duration: 100 }) },
    { label: say("zoomOut"), icon: IconMinus, run: () => zoomOut({ duration: 100 }) },
    { label: say("fit"), icon: IconMaximize, run: () => fitView({ ...fit, duration: 140 }) },
  ];
  return (
    <div className={styles.controls}>
      {buttons.map(({ label, icon: Icon, run }) => (
        <Tooltip key={label} label={label} position="left">
          <ActionIcon variant="default" size={34} aria-label={label} onClick={() => void run()}>
            <Icon size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
