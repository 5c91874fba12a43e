import { Button, Progress, Table } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { usePages } from "../../api/pages.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadedPages } from "../../parts/loaded-pages.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Split } from "../../parts/panel.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { JobPanel } from "./job-panel.tsx";
import { JobState } from "./job-state.tsx";
import styles from "./jobs.module.css";

const route = getRouteApi("/shell/jobs");
const PAGE = 50;
/** Milliseconds between two looks while a job goes on. */
const LOOK_AGAIN = 1_500;

type Job = OutputOf<"batch/job_list">["items"][number];

const goesOn = ({ state }: Job): boolean => state === "accepted" || state === "running";

/** The jobs of the person, and for administrators those of everybody, followed while they go on. */
export function JobsScreen(): ReactNode {
  const say = useWords("jobs");
  const { job } = route.useSearch();
  const navigate = route.useNavigate();
  const pages = usePages("batch/job_list", { expand: "keys" }, { limit: PAGE });
  const watch = useInterval(pages.again, LOOK_AGAIN);
  const isWatched = pages.rows.some(goesOn);
  useEffect(() => {
    if (isWatched) watch.start();
    return watch.stop;
  }, [isWatched, watch.start, watch.stop]);
  const open = (id: string | undefined): void => void navigate({ search: { job: id } });
  return (
    <>
      <PageHeader title={say("title")} />
      <Split panel={job && <JobPanel key={job} id={job} close={() => open(undefined)} />}>
        <div className={styles.content}>
          <LoadedPages pages={pages} empty={<EmptyState title={say("empty")} text={say("emptyText")} />}>
            {(jobs) => <Jobs jobs={jobs} chosen={job} open={open} />}
          </LoadedPages>
        </div>
      </Split>
    </>
  );
}

interface JobsProps {
  readonly jobs: readonly Job[];
  readonly chosen: string | undefined;
  readonly open: (id: string) => void;
}

function Jobs({ jobs, chosen, open }: JobsProps): ReactNode {
  const say = useWords("jobs");
  const { since } = useFormats();
  return (
    <Table.ScrollContainer minWidth={680}>
      <Table highlightOnHover aria-label={say("title")}>
        <Table.Thead>
          <Table.Tr>
            {(["action", "who", "state", "progress", "began", "details"] as const).map((word) => (
              <Table.Th key={word}>{say(word)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <Table.Tr key={job.id} {...(job.id === chosen && { bg: "var(--page-chosen)" })}>
              <Table.Td lang="en">{job.action}</Table.Td>
              <Table.Td>
                <bdi lang="en">{job.actorName ?? job.actor}</bdi>
              </Table.Td>
              <Table.Td>
                <JobState state={job.state} />
              </Table.Td>
              <Table.Td w={200}>
                <JobProgress job={job} />
              </Table.Td>
              <Table.Td>{since(job.accepted)}</Table.Td>
              <Table.Td>
                <Button size="compact-sm" variant="subtle" onClick={() => open(job.id)}>
                  {say("details")}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function JobProgress({ job: { progress, state } }: { readonly job: Job }): ReactNode {
  const say = useWords("jobs");
  const { number } = useFormats();
  if (state !== "running" || progress.total === 0) return progress.total === 0 ? null : number(progress.total);
  const label = say("written", { done: number(progress.done), total: number(progress.total) });
  return (
    <Progress.Root size="lg">
      <Progress.Section value={(100 * progress.done) / progress.total} aria-label={label} />
    </Progress.Root>
  );
}
