import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLayout2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Diagram } from "../../parts/diagram/use-diagram.ts";
import { openedLater } from "../../parts/opened-later.tsx";
import { useDiagramWords } from "../../words/diagram.ts";
import styles from "./diagram-screen.module.css";

const ArrangeDialog = openedLater(async () => (await import("./arrange-dialog.tsx")).ArrangeDialog);

/** Puts the boxes back that a person moved, after asking. */
export function ArrangeButton({ diagram }: { readonly diagram: Diagram }): ReactNode {
  const say = useDiagramWords();
  const [asks, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" px={12} aria-label={say("arrange")} disabled={diagram.movedCount === 0} onClick={open}>
        <IconLayout2 size={16} aria-hidden />
        <span className={styles.word}>{say("arrange")}</span>
      </Button>
      {asks && <ArrangeDialog diagram={diagram} close={close} />}
    </>
  );
}
