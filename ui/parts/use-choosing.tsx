import { Button, Code, Group, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ValueConflict } from "../api/edits.ts";
import { useWords } from "../words/words.ts";
import { ProblemBox } from "./problem-box.tsx";

/** Function that saves a value and asks the person about conflicts. */
export interface Choosing<V> {
  /** Resolves when the value is saved, or the person kept the other one; throws any other refusal. */
  readonly save: (value: V, base: V) => Promise<void>;
  /** The conflict dialog, to be rendered. */
  readonly dialog: ReactNode;
}

/**
 * Lets the person choose between two values when a save throws `ValueConflict`. `textOf` formats a value for the
 * dialog.
 */
export function useChoosing<V>(
  title: string,
  saver: (value: V, base: V) => Promise<void>,
  textOf: (value: V) => string,
): Choosing<V> {
  const [open, setOpen] = useState<{ readonly theirs: V; readonly ours: V; readonly resolve: () => void }>();
  const save = async (value: V, base: V): Promise<void> => {
    try {
      await saver(value, base);
    } catch (error) {
      if (!(error instanceof ValueConflict)) throw error;
      const theirs: V = error.theirs;
      await new Promise<void>((resolve) => setOpen({ theirs, ours: value, resolve }));
    }
  };
  const end = (): void => {
    open?.resolve();
    setOpen(undefined);
  };
  const dialog = open && (
    <ValueConflictDialog
      title={title}
      theirs={textOf(open.theirs)}
      ours={textOf(open.ours)}
      keepTheirs={end}
      takeMine={async () => {
        await saver(open.ours, open.theirs);
        end();
      }}
    />
  );
  return { save, dialog };
}

interface ValueConflictProps {
  readonly title: string;
  /** Both values as texts. */
  readonly theirs: string;
  readonly ours: string;
  /** Overwrites their value with the person's own. */
  readonly takeMine: () => Promise<void>;
  readonly keepTheirs: () => void;
}

/** Dialog for a value conflict: both values, and the choice. */
function ValueConflictDialog({ title, theirs, ours, takeMine, keepTheirs }: ValueConflictProps): ReactNode {
  const say = useWords("structure");
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const createSide = (name: string, text: string): ReactNode => (
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
          {createSide(say("theirs"), theirs)}
          {createSide(say("mine"), ours)}
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
