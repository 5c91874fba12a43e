import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Answer, ApiProblem } from "../../../client/create-client.ts";
import { toKeyRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { dryRun, useWrite } from "../../api/writes.ts";
import { StatusSign } from "../../parts/changed/signs.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { LinkButton } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { parseState } from "../../parts/object-path.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useKindWord, useWords } from "../../words/words.ts";
import styles from "./history.module.css";

type Model = OutputOf<"model/model_get">;
type Plan = OutputOf<"model/model_restore">;

const MAX_CHANGES = 1_000;

interface RestoreDialogProps {
  readonly model: Model;
  readonly state: string;
  readonly close: () => void;
}

/** Dialog that restores a state of a model: shows the dry run, then the progress. */
export function RestoreDialog({ model, state, close }: RestoreDialogProps): ReactNode {
  const say = useWords("history");
  const input = { modelRef: toKeyRef(model.key), ...parseState(state) };
  const preview = useQuery<Answer<Plan>, ApiProblem>({
    queryKey: ["model/model_restore", input, "dry run"],
    queryFn: () => dryRun("model/model_restore", { input }),
    staleTime: 0,
  });
  const what = input.version
    ? say("versionWord", { version: input.version })
    : say("revisionWord", { revision: input.revision ?? "" });
  return (
    <Dialog close={close} title={say("restoreWhat", { what })} size={560}>
      <LoadedBody read={preview} skeleton={<TableSkeleton rows={5} />}>
        {(answer) => <RestoreForm model={model} state={state} what={what} plan={answer} close={close} />}
      </LoadedBody>
    </Dialog>
  );
}

interface RestoreFormProps extends RestoreDialogProps {
  readonly what: string;
  readonly plan: Plan;
}

function RestoreForm({ model, state, what, plan, close }: RestoreFormProps) {
  const say = useWords("history");
  const restore = useWrite("model/model_restore");
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();
  const modelRef = toKeyRef(model.key);
  const { changes = [], losses } = plan;
  const send = async () => {
    setProgress(undefined);
    // The dry run answers with the revision that it would create.
    const ifMatch = `${model.id}-${plan.revision - 1}`;
    await restore
      .mutateAsync({ input: { modelRef, ...parseState(state) }, ifMatch, onProgress: setProgress })
      .then(close, () => undefined);
  };
  if (!plan.changed) {
    return (
      <>
        <Text>{say("restoreNothing")}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            {say("close")}
          </Button>
        </Group>
      </>
    );
  }
  return (
    <Stack gap="md">
      <Text>{say("restoreText")}</Text>
      <ChangeRows changes={changes} />
      {losses.length > 0 && (
        <div>
          <Text fw={500} mb={4}>
            {say("restoreLosses")}
          </Text>
          <ul className={styles.losses} lang="en">
            {losses.map(({ id, detail }) => (
              <li key={`${id} ${detail}`}>{detail}</li>
            ))}
          </ul>
        </div>
      )}
      <LinkButton
        to="/compare"
        search={{ left: modelRef, right: modelRef, rightAt: state }}
        variant="subtle"
        size="compact-sm"
        ml={-8}
        style={{ alignSelf: "start" }}
      >
        {say("restoreCompare")}
      </LinkButton>
      {restore.isPending && <RestoreProgress progress={progress} />}
      {restore.error && (
        <>
          {restore.error.status === 412 && <Text>{say("movedOn")}</Text>}
          <ProblemBox problem={restore.error} />
        </>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {say(restore.isPending ? "close" : "cancel")}
        </Button>
        <Button loading={restore.isPending} onClick={() => void send()}>
          {say("restoreWhat", { what })}
        </Button>
      </Group>
    </Stack>
  );
}

interface RestoreProgressProps {
  readonly progress: { readonly done: number; readonly total: number } | undefined;
}

function RestoreProgress({ progress }: RestoreProgressProps) {
  const say = useWords("history");
  return (
    <div role="status">
      <Text fz="sm" mb={4}>
        {say("restoring")}
        {progress && progress.total > 0 && ` · ${say("progress", { ...progress })}`}
      </Text>
      <Progress
        aria-label={say("restoring")}
        animated
        value={progress && progress.total > 0 ? (100 * progress.done) / progress.total : 100}
      />
    </div>
  );
}

function ChangeRows({ changes }: { readonly changes: NonNullable<Plan["changes"]> }) {
  const say = useWords("history");
  const kindWord = useKindWord();
  return (
    <div>
      <Text fw={500} mb={4}>
        {say("restoreChanges")} · {say("changes", { count: changes.length })}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={say("restoreChanges")}>
        <ul className={styles.changes}>
          {changes.map(({ change, kind, id, key }) => (
            <li key={`${change} ${id}`}>
              <StatusSign status={change} />
              <span className={styles.restoreKind}>{kindWord(kind)}</span>
              <KeyText value={key} strong />
            </li>
          ))}
        </ul>
      </section>
      {changes.length >= MAX_CHANGES && (
        <Text c="dimmed" fz="sm" mt={4}>
          {say("restoreMost", { count: MAX_CHANGES })}
        </Text>
      )}
    </div>
  );
}
