import { Badge, Button, ScrollArea, Stack, Table, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { Dialog, DialogButtons } from "../dialog.tsx";
import { ProblemBox } from "../problem-box.tsx";
import type { Column } from "./column.ts";
import { type Pasting, type PlannedRow, parsePastedRows } from "./paste-rows.ts";

interface PasteDialogProps<T> {
  readonly pasting: Pasting;
  readonly columns: readonly Column<T>[];
  readonly text: string;
  readonly close: () => void;
}

const COLORS = { create: "green", update: "blue", same: "gray", wrong: "red" } as const;

/** Dialog that previews pasted rows and applies the valid ones. */
export function PasteDialog<T>({ pasting, columns, text: initialText, close }: PasteDialogProps<T>): ReactNode {
  const say = useWords("grid");
  const formats = useFormats();
  const [text, setText] = useState(initialText);
  const findTitle = (id: string) => columns.find((column) => column.id === id)?.title ?? id;
  const plan = text === "" ? [] : pasting.plan(parsePastedRows(text, pasting.columns, columns));
  const flaws = plan.filter(({ change }) => change === "wrong");
  const changes = plan.filter(({ change }) => change === "create" || change === "update");
  const mutation = useMutation({ mutationFn: () => pasting.apply(changes), onSuccess: close });
  return (
    <Dialog close={close} size="xl" title={say("paste")}>
      <Stack>
        <Textarea
          data-autofocus
          label={say("pasteHere")}
          description={say("pasteText", { columns: formats.formatList(pasting.columns.map(findTitle)) })}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", whiteSpace: "pre", tabSize: 16 } }}
          autosize
          minRows={4}
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {plan.length > 0 && <Plan plan={plan} ids={pasting.columns} findTitle={findTitle} />}
        {flaws.length > 0 && <Text c="var(--mantine-color-error)">{say("pasteWrong", { count: flaws.length })}</Text>}
        {mutation.error && <ProblemBox problem={mutation.error} />}
        <DialogButtons close={close}>
          <Button disabled={changes.length === 0} loading={mutation.isPending} onClick={() => mutation.mutate()}>
            {say("pasteApply", { count: changes.length })}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  );
}

interface PlanProps {
  readonly plan: readonly PlannedRow[];
  readonly ids: readonly string[];
  readonly findTitle: (id: string) => string;
}

function Plan({ plan, ids, findTitle }: PlanProps) {
  const say = useWords("grid");
  return (
    <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0 }}>
      <Table stickyHeader fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say("change")}</Table.Th>
            {ids.map((id) => (
              <Table.Th key={id}>{findTitle(id)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {plan.map(({ cells, change, why }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pasted rows have no names
            <Table.Tr key={at}>
              <Table.Td>
                <Badge variant="light" color={COLORS[change]}>
                  {say(change)}
                </Badge>
                {why && <p className="hint">{why}</p>}
              </Table.Td>
              {ids.map((id) => (
                <Table.Td key={id} style={{ overflowWrap: "anywhere" }}>
                  {cells[id]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
