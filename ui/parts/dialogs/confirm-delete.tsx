import { Button, Group, List, Modal, ScrollArea, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import type { ActionName, InputOf } from "../../api/service.ts";
import { dryRun, useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { ProblemBox } from "../problem-box.tsx";
import { TableSkeleton } from "../skeletons.tsx";
import { KeyText } from "../text/key-text.tsx";

/** Something that goes with what is deleted. */
interface Gone {
  readonly kind: string;
  readonly key: string;
  readonly remains?: boolean;
}

/** What a rehearsal of a delete tells. */
interface Consequences {
  readonly count: number;
  readonly items: readonly Gone[];
}

/** What is deleted, and what happens then. */
export interface ConfirmDeleteProps<N extends ActionName> {
  readonly action: N;
  readonly input: InputOf<N>;
  readonly ifMatch?: string | undefined;
  /** The noun and the name of what is deleted, such as "entity customer"; the button repeats it. */
  readonly what: string;
  /** What people call the things that have no key, by their ids. */
  readonly names?: ReadonlyMap<string, string>;
  /** Consequences that the screen knows beside those that the service tells. */
  readonly children?: ReactNode;
  readonly close: () => void;
  /** Leaves what is gone; nothing is read again before it is left. */
  readonly done: () => Promise<unknown>;
}

/** What a dry run answers of a delete: what goes with it, or the rows that it changes; of a batch each entry's. */
interface Rehearsed {
  readonly removed?: Consequences;
  readonly results?: readonly { readonly removed?: Consequences }[];
  readonly changes?: readonly (Gone & { readonly change: string })[];
}

/** The consequences in the answer of a dry run, whatever action it is of. */
function readConsequences(body: unknown): Consequences {
  const { removed, results, changes = [] } = body as Rehearsed;
  if (removed) return removed;
  if (results) {
    const told = results.flatMap((result) => result.removed ?? []);
    return { count: told.reduce((sum, { count }) => sum + count, 0), items: told.flatMap(({ items }) => items) };
  }
  const gone = changes.filter(({ change }) => change === "delete").slice(1);
  return { count: gone.length, items: gone };
}

/** Asks before something is deleted, and shows first what would go with it, as the service tells it. */
export function ConfirmDelete<N extends ActionName>(props: ConfirmDeleteProps<N>): ReactNode {
  const { action, input, ifMatch, what, names, children, close, done } = props;
  const say = useWords("deleting");
  const [told, setTold] = useState<Consequences>();
  const [problem, setProblem] = useState<unknown>();
  const write = useWrite(action);
  const text = JSON.stringify(input);
  useEffect(() => {
    let isOpen = true;
    dryRun(action, { input: JSON.parse(text) as InputOf<N>, ifMatch }).then(
      ({ body }) => isOpen && setTold(readConsequences(body)),
      (error: unknown) => isOpen && setProblem(error),
    );
    return () => {
      isOpen = false;
    };
  }, [action, text, ifMatch]);
  const confirm = (): void => {
    setProblem(undefined);
    write.mutateAsync({ input, ifMatch, done }).catch(setProblem);
  };
  const count = told?.count ?? 0;
  // Keys are made of attributes, so these say how much goes; where not all is listed they are not known.
  const gone = told?.items.filter(({ kind, remains }) => kind === "attribute" && !remains) ?? [];
  const attributes = told && told.items.length === told.count ? gone.length : 0;
  return (
    <Modal opened onClose={close} title={say("title", { what })} closeButtonProps={{ "aria-label": say("close") }}>
      <Stack>
        {children}
        {!told && problem === undefined && <TableSkeleton rows={3} />}
        {told && <Text>{count === 0 ? say("alone", { what }) : say("together", { count })}</Text>}
        {told && count > 0 && <GoneList {...told} names={names} />}
        {problem !== undefined && <ProblemBox problem={problem} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {say("keep")}
          </Button>
          <Button
            color="red"
            disabled={!told}
            loading={write.isPending}
            onClick={confirm}
            h="auto"
            mih={36}
            styles={{ label: { whiteSpace: "normal", overflow: "visible", overflowWrap: "anywhere", lineHeight: 1.3 } }}
          >
            {count === 0
              ? say("confirm", { what })
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
      {items.length < count && <Text c="dimmed">{say("others", { count: count - items.length })}</Text>}
    </ScrollArea.Autosize>
  );
}
