import { Button, Code, Group, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useStructureWords } from "../words/structure.ts";
import { ProblemBox } from "./problem-box.tsx";

interface ValueConflictProps {
  readonly title: string;
  /** Both values as texts to read. */
  readonly theirs: string;
  readonly ours: string;
  /** Writes the person's own value over theirs. */
  readonly takeMine: () => Promise<void>;
  readonly keepTheirs: () => void;
}

/** Shows both values of a thing that two people changed, and lets the person choose. */
export function ValueConflictDialog({ title, theirs, ours, takeMine, keepTheirs }: ValueConflictProps): ReactNode {
  const say = useStructureWords();
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const side = (name: string, text: string): ReactNode => (
    <div>
      <Text fw={500} mb={4}>
        {name}
      </Text>
      <Code block lang="en" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text}
      </Code>
    </div>
  );
  const send = (): void => {
    setBusy(true);
    takeMine()
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <Modal opened onClose={keepTheirs} size="lg" title={title} closeButtonProps={{ "aria-label": say("close") }}>
      <Stack>
        <Text>{say("changedMeanwhile")}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {side(say("theirs"), theirs)}
          {side(say("mine"), ours)}
        </SimpleGrid>
        {problem !== undefined && <ProblemBox problem={problem} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={keepTheirs}>
            {say("keepTheirs")}
          </Button>
          <Button loading={busy} onClick={send} data-autofocus>
            {say("takeMine")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
