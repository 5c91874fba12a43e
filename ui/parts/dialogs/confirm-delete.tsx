import { Button, Group, List, ScrollArea, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { ActionName, InputOf } from "../../api/service.ts";
import { dryRun, useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { Dialog } from "../dialog.tsx";
import { ProblemBox } from "../problem-box.tsx";
import { TableSkeleton } from "../skeletons.tsx";
import { KeyText } from "../text/key-text.tsx";

interface DeletedObject {
  readonly kind: string;
  readonly key: string;
  readonly remains?: boolean;
}

interface Consequences {
  readonly count: number;
  readonly items: readonly DeletedObject[];
}

interface ConfirmDeleteProps<N extends ActionName> {
  readonly action: N;
  readonly input: InputOf<N>;
  readonly ifMatch?: string | undefined;
  /** Noun and name of the object, such as "entity customer"; the button repeats it. */
  readonly what: string;
  /** Names of objects without a key, by id. */
  readonly names?: ReadonlyMap<string, string>;
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

function readConsequences(body: unknown): Consequences {
  const { removed, results, changes = [] } = body as DryRunAnswer;
  if (removed) return removed;
  if (results) {
    const losses = results.flatMap((result) => result.removed ?? []);
    return { count: losses.reduce((sum, { count }) => sum + count, 0), items: losses.flatMap(({ items }) => items) };
  }
  const deletions = changes.filter(({ change }) => change === "delete").slice(1);
  return { count: deletions.length, items: deletions };
}

/** Confirmation of a delete, with its consequences from the service. */
export function ConfirmDelete<N extends ActionName>(props: ConfirmDeleteProps<N>): ReactNode {
  const { action, input, ifMatch, what, names, children, close, onDone } = props;
  const say = useWords("deleting");
  const write = useWrite(action);
  const text = JSON.stringify(input);
  const preview = useMutation({ mutationFn: () => dryRun(action, { input, ifMatch }) });
  const { mutate: loadPreview } = preview;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dry run follows the input and the revision
  useEffect(() => loadPreview(), [loadPreview, action, text, ifMatch]);
  const consequences = preview.data && readConsequences(preview.data.body);
  const problem = write.error ?? preview.error ?? undefined;
  const count = consequences?.count ?? 0;
  // A partial list cannot show which keys lose all attributes.
  const deletions = consequences?.items.filter(({ kind, remains }) => kind === "attribute" && !remains) ?? [];
  const attributes = consequences && consequences.items.length === consequences.count ? deletions.length : 0;
  return (
    <Dialog close={close} title={say("deleteWhat", { what })}>
      <Stack>
        {children}
        {!consequences && problem === undefined && <TableSkeleton rows={3} />}
        {consequences && <Text>{count === 0 ? say("alone", { what }) : say("together", { count })}</Text>}
        {consequences && count > 0 && <GoneList {...consequences} {...(names && { names })} />}
        {problem !== undefined && <ProblemBox problem={problem} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {say("keep")}
          </Button>
          <Button
            color="red"
            disabled={!consequences}
            loading={write.isPending}
            onClick={() => write.mutate({ input, ifMatch, onDone })}
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
    </Dialog>
  );
}

interface DeleteButtonProps<N extends ActionName> extends Omit<ConfirmDeleteProps<N>, "close" | "onDone"> {
  /** Renders the button, given the function that asks. */
  readonly renderButton: (ask: () => void) => ReactNode;
  readonly onDone?: () => Promise<unknown>;
}

/** A button, and the confirmation of a delete that it opens. */
export function DeleteButton<N extends ActionName>({ renderButton, ...props }: DeleteButtonProps<N>): ReactNode {
  const [isAsked, setIsAsked] = useState(false);
  const close = () => setIsAsked(false);
  return (
    <>
      {renderButton(() => setIsAsked(true))}
      {isAsked && <ConfirmDelete onDone={async () => close()} {...props} close={close} />}
    </>
  );
}

type GoneListProps = Consequences & Pick<ConfirmDeleteProps<ActionName>, "names">;

function GoneList({ items, count, names }: GoneListProps) {
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
