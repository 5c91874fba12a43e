import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLayout2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Diagram } from "../../parts/diagram/use-diagram.ts";
import { useDiagramWords } from "../../words/diagram.ts";
import { useFrameWords } from "../../words/frame.ts";
import styles from "./diagram-screen.module.css";

/** Puts the boxes back that a person moved, after asking. */
export function ArrangeButton({ diagram: { movedCount, arrange } }: { readonly diagram: Diagram }): ReactNode {
  const say = useDiagramWords();
  const frame = useFrameWords();
  const [asks, { open, close }] = useDisclosure(false);
  const run = (): void => {
    arrange();
    close();
  };
  return (
    <>
      <Button variant="default" px={12} aria-label={say("arrange")} disabled={movedCount === 0} onClick={open}>
        <IconLayout2 size={16} aria-hidden />
        <span className={styles.word}>{say("arrange")}</span>
      </Button>
      <Modal
        opened={asks}
        onClose={close}
        title={say("arrangeTitle")}
        closeButtonProps={{ "aria-label": frame("close") }}
      >
        <Text mb="md">{say("arrangeText", { count: movedCount })}</Text>
        <Group gap="xs">
          <Button onClick={run}>{say("arrange")}</Button>
          <Button variant="default" onClick={close}>
            {frame("cancel")}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
