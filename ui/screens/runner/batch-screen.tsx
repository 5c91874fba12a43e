import { Button, Text } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type ActionDescription, type ServiceDescription, useDescription } from "../../api/description.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBody, PageHeader } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { PageSkeleton } from "../../parts/skeletons.tsx";
import { useWords } from "../../words/words.ts";
import styles from "./batch/batch.module.css";
import { buildBatchCall, buildBatchPayload, useEntries } from "./batch/batch-call.ts";
import { EntryRow } from "./batch/entry-row.tsx";
import { listVariables } from "./calls/call.ts";
import { CallsPane } from "./calls/calls-pane.tsx";
import { onRunKey, RunButton, RunConditions } from "./conditions.tsx";
import { listEntryFaults } from "./form/faults.ts";
import { createForm } from "./form/field.ts";
import { isObject } from "./form/form-state.ts";
import { RunResult } from "./run/run-result.tsx";
import { useRun } from "./run/use-run.ts";

const route = getRouteApi("/shell/batch");

const BATCH = "batch/batch_run";

/** Collects calls and runs them as one batch. */
export function BatchScreen(): ReactNode {
  const say = useWords("runner");
  const { data, error, refetch } = useDescription();
  const action = data?.actions.get(BATCH);
  const { entries, clear } = useEntries();
  return (
    <>
      <PageHeader
        title={say("batch")}
        crumbs={[
          <Link key="actions" to="/actions">
            {say("actions")}
          </Link>,
        ]}
        actions={
          entries.length > 0 && (
            <Button variant="default" onClick={clear}>
              {say("clearBatch")}
            </Button>
          )
        }
      />
      <PageBody>
        {error && <ProblemBox problem={error} retry={() => void refetch()} />}
        {!error && !data && <PageSkeleton />}
        {data && entries.length === 0 && (
          <EmptyState
            icon={IconStack2}
            title={say("batchEmpty")}
            text={say("batchEmptyText")}
            action={
              <Button renderRoot={(props) => <Link to="/actions" {...props} />} variant="default">
                {say("toActions")}
              </Button>
            }
          />
        )}
        {data && action && entries.length > 0 && <Batch description={data} action={action} />}
      </PageBody>
    </>
  );
}

interface BatchProps {
  readonly description: ServiceDescription;
  readonly action: ActionDescription;
}

function Batch({ description, action }: BatchProps) {
  const say = useWords("runner");
  const { as: view = "table" } = route.useSearch();
  const navigate = route.useNavigate();
  const { entries } = useEntries();
  const [open, setOpen] = useState<number>();
  const [wrongIds, setWrongIds] = useState<ReadonlySet<number>>(new Set());
  const [runIds, setRunIds] = useState<readonly number[]>([]);
  const batch = buildBatchPayload(entries);
  const payload = buildBatchCall(entries, description);
  const running = useRun(action, { payload, secrets: batch, names: listVariables(payload), getWhole: () => batch });
  const { lastRun, isRunning, controls, setIfMatch } = running;
  const press = () => {
    if (wrongIds.size > 0 || isRunning) return;
    setRunIds(entries.map(({ id }) => id));
    void running.run();
  };
  const { answer, problem } = lastRun?.outcome ?? {};
  const results = isObject(answer?.body) && Array.isArray(answer.body.results) ? answer.body.results : [];
  const failedId = problem?.entry === undefined ? undefined : runIds[problem.entry - 1];
  const faults = problem?.errors ?? [];
  const others = faults.filter((fault) => runIds.every((_, at) => listEntryFaults([fault], at).length === 0));
  const seenEtag = running.runs.find(({ etag }) => etag !== undefined)?.etag;
  return (
    <div className={styles.batch} onKeyDownCapture={onRunKey(press)}>
      <div className="shrink">
        <Text c="dimmed" mb="md">
          {say("batchText")} {say("reference", { sample: "id:$1.id" })}
        </Text>
        <ol className="box bare-list">
          {entries.map((entry, at) => {
            const position = runIds.indexOf(entry.id);
            return (
              <EntryRow
                key={entry.id}
                entry={entry}
                at={at}
                description={description}
                isOpen={open === entry.id}
                setOpen={(isOpen) => setOpen(isOpen ? entry.id : undefined)}
                setWrong={(isWrong) =>
                  setWrongIds((before) => {
                    const others = before.difference(new Set([entry.id]));
                    return isWrong ? others.add(entry.id) : others;
                  })
                }
                lastRun={lastRun}
                faults={position < 0 ? [] : listEntryFaults(faults, position)}
                problem={failedId === entry.id ? problem : undefined}
                result={position < 0 ? undefined : results[position]}
              />
            );
          })}
        </ol>
        <RunConditions running={running} etag={seenEtag} />
        <div className={styles.press}>
          <RunButton running={running} run={press} isBlocked={wrongIds.size > 0} />
          {wrongIds.size > 0 && (
            <Text size="xs" c="var(--mantine-color-error)" role="status">
              {say("correctFirst")}
            </Text>
          )}
        </div>
        {lastRun && (
          <RunResult
            run={lastRun}
            faults={others}
            view={view}
            setView={(next) => void navigate({ search: { as: next === "table" ? undefined : next }, replace: true })}
            setIfMatch={setIfMatch}
          />
        )}
      </div>
      <div className={styles.side}>
        <CallsPane
          call={{
            action,
            form: createForm(action.input, description.schemas),
            url: location.origin,
            payload,
            ...controls,
          }}
        />
      </div>
    </div>
  );
}
