import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ValueConflict } from "../api/edits.ts";
import { useWords } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Columns } from "./page.tsx";
import { ProblemBox, Refusal } from "./problem-box.tsx";
import { formatRefusal } from "./refusal.ts";

/** Function that saves a value and asks the person about conflicts. */
export interface Saver<V> {
  /** Resolves when the value is saved, or the person kept the other one; throws any other refusal. */
  readonly save: (value: V, base: V) => Promise<void>;
  /** Saves a value, then calls `onDone`. A refusal is kept in `refusal` until the next change. */
  readonly change: (value: V, base: V, onDone?: () => void) => void;
  readonly refusal: string | undefined;
  readonly alert: ReactNode;
  readonly dialog: ReactNode;
}

/** Lets the person choose between two values when a save throws `ValueConflict`. */
export function useSaver<V>(
  title: string,
  write: (value: V, base: V) => Promise<void>,
  formatValue: (value: V) => string,
): Saver<V> {
  const [open, setOpen] = useState<{ readonly theirs: V; readonly ours: V; readonly resolve: () => void }>();
  const [refusal, setRefusal] = useState<string>();
  const save = async (value: V, base: V) => {
    try {
      await write(value, base);
    } catch (error) {
      if (!(error instanceof ValueConflict)) throw error;
      const remoteValue: V = error.theirs;
      await new Promise<void>((resolve) => setOpen({ theirs: remoteValue, ours: value, resolve }));
    }
  };
  const change = (value: V, base: V, onDone?: () => void) => {
    setRefusal(undefined);
    save(value, base).then(onDone, (error: unknown) => setRefusal(formatRefusal(error)));
  };
  const end = () => {
    open?.resolve();
    setOpen(undefined);
  };
  const dialog = open && (
    <ValueConflictDialog
      title={title}
      theirs={formatValue(open.theirs)}
      ours={formatValue(open.ours)}
      keepTheirs={end}
      takeMine={async () => {
        await write(open.ours, open.theirs);
        end();
      }}
    />
  );
  const alert = refusal && <Refusal mt="xs">{refusal}</Refusal>;
  return { save, change, refusal, alert, dialog };
}

interface ValueConflictProps {
  readonly title: string;
  readonly theirs: string;
  readonly ours: string;
  readonly takeMine: () => Promise<void>;
  readonly keepTheirs: () => void;
}

function ValueConflictDialog({ title, theirs, ours, takeMine, keepTheirs }: ValueConflictProps) {
  const say = useWords("structure");
  const mutation = useMutation({ mutationFn: takeMine });
  const createSide = (name: string, text: string) => (
    <div>
      <Text fw={500} mb={4}>
        {name}
      </Text>
      <Code block lang="en" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text}
      </Code>
    </div>
  );
  return (
    <Dialog close={keepTheirs} size="lg" title={title}>
      <Stack>
        <Text>{say("changedMeanwhile")}</Text>
        <Columns>
          {createSide(say("theirs"), theirs)}
          {createSide(say("mine"), ours)}
        </Columns>
        {mutation.error && <ProblemBox problem={mutation.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={keepTheirs}>
            {say("keepTheirs")}
          </Button>
          <Button loading={mutation.isPending} onClick={() => mutation.mutate()} data-autofocus>
            {say("takeMine")}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
