import { Button, Group, List, Modal, ScrollArea, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import type { ActionName, InputOf } from "../../api/service.ts";
import { dryRun, useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { ProblemBox } from "../problem-box.tsx";
import { TableSkeleton } from "../skeletons.tsx";
import { KeyText } from "../text/key-text.tsx";

/** An object that is deleted too. */
interface DeletedObject {
  readonly kind: string;
  readonly key: string;
  readonly remains?: boolean;
}

/** Consequences of a delete, from its dry run. */
interface Consequences {
  readonly count: number;
  readonly items: readonly DeletedObject[];
}

/** The object to delete, and the action that deletes it. */
export interface ConfirmDeleteProps<N extends ActionName> {
  readonly action: N;
  readonly input: InputOf<N>;
  readonly ifMatch?: string | undefined;
  /** Noun and name of the object, such as "entity customer"; the button repeats it. */
  readonly what: string;
  /** Names of objects without a key, by id. */
  readonly names?: ReadonlyMap<string, string>;
  /** Consequences that the screen knows, in addition to those from the service. */
  readonly children?: ReactNode;
  readonly close: () => void;
  /** Leaves the page of the deleted object, before anything is read again. */
  readonly onDone: () => Promise<unknown>;
}

/** Answer of the dry run of a delete: objects deleted too, or changed rows; for a batch one per entry. */
interface DryRunAnswer {
  readonly removed?: Consequences;
  readonly results?: readonly { readonly removed?: Consequences }[];
  readonly changes?: readonly (DeletedObject & { readonly change: string })[];
}

/** Reads the consequences from the answer of a dry run of any delete action. */
function readConsequences(body: unknown): Consequences {
  const { removed, results, changes = [] } = body as DryRunAnswer;
  if (removed) return removed;
  if (results) {
    const removed = results.flatMap((result) => result.removed ?? []);
    return { count: removed.reduce((sum, { count }) => sum + count, 0), items: removed.flatMap(({ items }) => items) };
  }
  const gone = changes.filter(({ change }) => change === "delete").slice(1);
  return { count: gone.length, items: gone };
}

/** Confirmation of a delete, with its consequences from the service. */
export function ConfirmDelete<N extends ActionName>(props: ConfirmDeleteProps<N>): ReactNode {
  const { action, input, ifMatch, what, names, children, close, onDone } = props;
  const say = useWords("deleting");
  const [consequences, setConsequences] = useState<Consequences>();
  const [problem, setProblem] = useState<unknown>();
  const write = useWrite(action);
  const text = JSON.stringify(input);
  useEffect(() => {
    let isOpen = true;
    dryRun(action, { input: JSON.parse(text) as InputOf<N>, ifMatch }).then(
      ({ body }) => isOpen && setConsequences(readConsequences(body)),
      (error: unknown) => isOpen && setProblem(error),
    );
    return () => {
      isOpen = false;
    };
  }, [action, text, ifMatch]);
  const confirm = (): void => {
    setProblem(undefined);
    write.mutateAsync({ input, ifMatch, onDone }).catch(setProblem);
  };
  const count = consequences?.count ?? 0;
  // A partial list cannot show which keys lose all attributes.
  const gone = consequences?.items.filter(({ kind, remains }) => kind === "attribute" && !remains) ?? [];
  const attributes = consequences && consequences.items.length === consequences.count ? gone.length : 0;
  return (
    <Modal opened onClose={close} title={say("deleteWhat", { what })} closeButtonProps={{ "aria-label": say("close") }}>
      <Stack>
        {children}
        {!consequences && problem === undefined && <TableSkeleton rows={3} />}
        {consequences && <Text>{count === 0 ? say("alone", { what }) : say("together", { count })}</Text>}
        {consequences && count > 0 && <GoneList {...consequences} names={names} />}
        {problem !== undefined && <ProblemBox problem={problem} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {say("keep")}
          </Button>
          <Button
            color="red"
            disabled={!consequences}
            loading={write.isPending}
            onClick={confirm}
            h="auto"
            mih={36}
            styles={{ label: { whiteSpace: "normal", overflow: "visible", overflowWrap: "anywhere", lineHeight: 1.3 } }}
          >
            {count === 0
              ? say("deleteWhat", { what })
              : say(attributes > 0 ? "confirmAttributes" : "confirmWith", { what, count: attributes || count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface GoneListProps extends Consequences {
  readonly names: ConfirmDeleteProps<ActionName>["names"];
}

function GoneList({ items, count, names }: GoneListProps): ReactNode {
  const say = useWords("deleting");
  return (
    <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0 }}>
      <List size="sm">
        {items.map(({ kind, key, remains }) => (
          <List.Item key={`${kind} ${key}`}>
            <span lang="en">{kind.replaceAll("_", " ")}</span>{" "}
            {names?.has(key) ? <bdi>{names.get(key)}</bdi> : <KeyText value={key} />}
            {remains && ` (${say("remains")})`}
          </List.Item>
        ))}
      </List>
      {items.length < count && <Text c="dimmed">{say("andMore", { count: count - items.length })}</Text>}
    </ScrollArea.Autosize>
  );
}
