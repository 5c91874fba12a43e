import { Badge, Button, Code, Progress, Stack, Text, Title } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { usePages, useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadedBody, LoadedPages } from "../../parts/loaded.tsx";
import { PageHeader, Panel, SplitView } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { RowsTable } from "../../parts/rows-table.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import styles from "./jobs.module.css";

const route = getRouteApi("/shell/jobs");
const PAGE = 50;
/** Milliseconds between two reads of a running job. */
const POLL_INTERVAL = 1_500;

type ListedJob = OutputOf<"batch/job_list">["items"][number];

const isRunning = ({ state }: Pick<ListedJob, "state">) => state === "accepted" || state === "running";

/** Jobs of the person; for administrators, those of everybody. Running jobs are updated. */
export function JobsScreen(): ReactNode {
  const say = useWords("jobs");
  const { formatSince } = useFormats();
  const { job } = route.useSearch();
  const navigate = route.useNavigate();
  const pages = usePages("batch/job_list", { expand: "keys" }, { limit: PAGE });
  const watch = useInterval(pages.retry, POLL_INTERVAL);
  const isWatched = pages.rows.some(isRunning);
  useEffect(() => {
    if (isWatched) watch.start();
    return watch.stop;
  }, [isWatched, watch.start, watch.stop]);
  const open = (id: string | undefined) => void navigate({ search: { job: id } });
  return (
    <>
      <PageHeader title={say("jobs")} />
      <SplitView panel={job && <JobPanel key={job} id={job} close={() => open(undefined)} />}>
        <div className={styles.content}>
          <LoadedPages pages={pages} empty={<EmptyState title={say("empty")} text={say("emptyText")} />}>
            {(jobs) => (
              <RowsTable
                label={say("jobs")}
                minWidth={680}
                rows={jobs}
                open={open}
                openId={job}
                cells={{
                  [say("action")]: ({ action }) => <span lang="en">{action}</span>,
                  [say("who")]: ({ actorName, actor }) => <bdi lang="en">{actorName ?? actor}</bdi>,
                  [say("state")]: ({ state }) => <JobState state={state} />,
                  [say("progress")]: (row) => <JobProgress job={row} />,
                  [say("began")]: ({ accepted }) => formatSince(accepted),
                }}
              />
            )}
          </LoadedPages>
        </div>
      </SplitView>
    </>
  );
}

function JobProgress({ job: { progress, state } }: { readonly job: ListedJob }) {
  const say = useWords("jobs");
  const { formatNumber } = useFormats();
  if (state !== "running" || progress.total === 0) return progress.total === 0 ? null : formatNumber(progress.total);
  const label = say("objectsWritten", { done: formatNumber(progress.done), total: formatNumber(progress.total) });
  return (
    <Progress.Root size="lg" w={200}>
      <Progress.Section value={(100 * progress.done) / progress.total} aria-label={label} />
    </Progress.Root>
  );
}

interface JobPanelProps {
  readonly id: string;
  readonly close: () => void;
}

function JobPanel({ id, close }: JobPanelProps) {
  const say = useWords("jobs");
  const read = useRead("batch/job_get", { jobRef: toRef(`id:${id}`), expand: "keys" });
  const action = read.data?.body.action;
  return (
    <Panel title={action ?? say("job")} heading={<span lang="en">{action}</span>} close={close}>
      <LoadedBody read={read}>{(job) => <Job job={job} />}</LoadedBody>
    </Panel>
  );
}

function Job({ job }: { readonly job: OutputOf<"batch/job_get"> }) {
  const say = useWords("jobs");
  const { formatTime, formatNumber } = useFormats();
  const cancel = useWrite("batch/job_cancel");
  const { state, progress, ended, problem, result } = job;
  return (
    <Stack gap="md">
      <JobState state={state} />
      <Text>
        {say("objectsWritten", { done: formatNumber(progress.done), total: formatNumber(progress.total) })}
        <br />
        {say("began")} {formatTime(job.accepted)}
        {ended && (
          <>
            <br />
            {say("ended")} {formatTime(ended)}
          </>
        )}
      </Text>
      {problem && (
        <section>
          <Title order={3}>{say("problem")}</Title>
          <Text lang="en">{problem.detail}</Text>
          <Code>{problem.code}</Code>
        </section>
      )}
      {result !== undefined && (
        <section>
          <Title order={3}>{say("result")}</Title>
          {/* Scrollable content must be reachable by keyboard. */}
          <Code block tabIndex={0} role="region" aria-label={say("result")}>
            {JSON.stringify(result, null, 2)}
          </Code>
        </section>
      )}
      {cancel.error && <ProblemBox problem={cancel.error} />}
      {isRunning(job) && (
        <div>
          <Button
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ input: { jobRef: toRef(`id:${job.id}`) } })}
          >
            {say("cancel")}
          </Button>
          <p className="note">{say("cancelText")}</p>
        </div>
      )}
    </Stack>
  );
}

type State = OutputOf<"batch/job_get">["state"];

const COLORS: Readonly<Record<State, string>> = {
  accepted: "dimmed",
  running: "var(--mantine-color-text)",
  done: "var(--sign-good)",
  failed: "var(--sign-breaking)",
  cancelled: "dimmed",
};

function JobState({ state }: { readonly state: State }) {
  const say = useWords("jobs");
  return <Badge c={COLORS[state]}>{say(state)}</Badge>;
}
