import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Diagram } from "../../parts/diagram/use-diagram.ts";
import { useDiagramWords } from "../../words/diagram.ts";
import { useFrameWords } from "../../words/frame.ts";

interface ArrangeDialogProps {
  readonly diagram: Diagram;
  readonly close: () => void;
}

/** Asks whether the boxes that a person moved shall go back. */
export function ArrangeDialog({ diagram: { movedCount, arrange }, close }: ArrangeDialogProps): ReactNode {
  const say = useDiagramWords();
  const frame = useFrameWords();
  const run = (): void => {
    arrange();
    close();
  };
  return (
    <Modal opened onClose={close} title={say("arrangeTitle")} closeButtonProps={{ "aria-label": frame("close") }}>
      <Text mb="md">{say("arrangeText", { count: movedCount })}</Text>
      <Group gap="xs">
        <Button onClick={run}>{say("arrange")}</Button>
        <Button variant="default" onClick={close}>
          {frame("cancel")}
        </Button>
      </Group>
    </Modal>
  );
}
