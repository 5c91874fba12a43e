import { Button, Code, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { JobState } from "./job-state.tsx";

interface JobPanelProps {
  readonly id: string;
  readonly close: () => void;
}

/** One job beside the list: what it answered, or why it failed; it can be cancelled while it goes on. */
export function JobPanel({ id, close }: JobPanelProps): ReactNode {
  const say = useWords("jobs");
  const read = useRead("batch/job_get", { jobRef: refOf(`id:${id}`), expand: "keys" });
  const action = read.data?.body.action;
  return (
    <Panel title={action ?? say("job")} heading={<span lang="en">{action}</span>} close={close}>
      <Loaded read={read}>{(job) => <Job job={job} />}</Loaded>
    </Panel>
  );
}

function Job({ job }: { readonly job: OutputOf<"batch/job_get"> }): ReactNode {
  const say = useWords("jobs");
  const { moment, number } = useFormats();
  const cancel = useWrite("batch/job_cancel");
  const { state, progress, ended, problem, result } = job;
  const goesOn = state === "accepted" || state === "running";
  return (
    <Stack gap="md">
      <JobState state={state} />
      <Text>
        {say("written", { done: number(progress.done), total: number(progress.total) })}
        <br />
        {say("began")} {moment(job.accepted)}
        {ended && (
          <>
            <br />
            {say("ended")} {moment(ended)}
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
          {/* What scrolls has to be reached by keyboard. */}
          <Code block tabIndex={0} role="region" aria-label={say("result")}>
            {JSON.stringify(result, null, 2)}
          </Code>
        </section>
      )}
      {cancel.error && <ProblemBox problem={cancel.error} />}
      {goesOn && (
        <div>
          <Button
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ input: { jobRef: refOf(`id:${job.id}`) } })}
          >
            {say("cancel")}
          </Button>
          <Text c="dimmed" size="sm">
            {say("cancelText")}
          </Text>
        </div>
      )}
    </Stack>
  );
}
