import { Button, Group, Modal, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { useFrameWords } from "../words/frame.ts";
import { mergedText } from "./merged-text.ts";
import { ProblemBox } from "./problem-box.tsx";

interface TextConflictProps {
  readonly label: string;
  /** What it was when the editing began. */
  readonly base: string;
  /** What somebody else saved. */
  readonly theirs: string;
  readonly ours: string;
  readonly keepTheirs: () => void;
  readonly save: (text: string) => Promise<void>;
  readonly close: () => void;
}

/** Shows both versions of a text that two people changed, with a proposal made of both, and lets the person choose. */
export function TextConflictDialog(props: TextConflictProps): ReactNode {
  const { label, base, theirs, ours, keepTheirs, save, close } = props;
  const say = useFrameWords();
  const merged = useMemo(() => mergedText(base, theirs, ours), [base, theirs, ours]);
  const [proposal, setProposal] = useState(merged.text);
  const [problem, setProblem] = useState<unknown>();
  const send = (text: string): void => void save(text).catch(setProblem);
  const side = (title: string, text: string): ReactNode => (
    <Textarea label={title} value={text} readOnly autosize minRows={2} maxRows={12} />
  );
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={say("conflictTitle")}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <Stack>
        <Text>{say("conflictText", { label })}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {side(say("conflictTheirs"), theirs)}
          {side(say("conflictMine"), ours)}
        </SimpleGrid>
        <Textarea
          label={say("conflictMerged")}
          description={merged.clashes > 0 ? say("conflictClash") : undefined}
          value={proposal}
          onChange={(event) => setProposal(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={12}
        />
        {problem !== undefined && <ProblemBox problem={problem} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={keepTheirs}>
            {say("takeTheirs")}
          </Button>
          <Button variant="default" onClick={() => send(ours)}>
            {say("takeMine")}
          </Button>
          <Button data-autofocus onClick={() => send(proposal)}>
            {say("takeMerged")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
