import { Alert, Badge, Button, Progress, Spoiler, Text } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { ActionDescription, Schemas } from "../../api/description.ts";
import { useMay } from "../../api/rights.ts";
import { MarkdownText } from "../../parts/text/editable-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { useEntries } from "./batch/batch-call.ts";
import { withVariables } from "./calls/call.ts";
import { CallsPane } from "./calls/calls-pane.tsx";
import { onRunKey, RunButton, RunConditions } from "./conditions.tsx";
import { createForm, listMembers } from "./form/field.ts";
import { isComplete } from "./form/fit.ts";
import { type JsonObject, listSecretNames } from "./form/form-state.ts";
import { PayloadForm, PayloadJson } from "./form/payload-json.tsx";
import { usePayload } from "./form/use-payload.ts";
import type { JobState } from "./run/run.ts";
import { type ResultView, RunResult } from "./run/run-result.tsx";
import { useFieldFaults, useRun } from "./run/use-run.ts";
import styles from "./runner.module.css";

interface ActionPanelProps {
  readonly action: ActionDescription;
  readonly schemas: Schemas;
  readonly first: JsonObject;
  readonly updateAddress: (payload: JsonObject) => void;
  readonly view: ResultView;
  readonly setView: (view: ResultView) => void;
}

const INTENTS = { read: "read", create: "create", update: "update", delete: "delete" } as const;

/** Screen of an action: payload, headers, code samples, result. */
export function ActionPanel({ action, schemas, first, updateAddress, view, setView }: ActionPanelProps): ReactNode {
  const say = useWords("runner");
  const { formatList } = useFormats();
  const may = useMay();
  const ref = `${action.group}/${action.name}`;
  const form = useMemo(() => createForm(action.input, schemas), [action, schemas]);
  const state = usePayload(form, first);
  const { payload, names, drafts } = state;
  const batch = useEntries();
  const [number, setNumber] = useState<number>();
  const running = useRun(action, state);
  const { lastRun, isRunning, job } = running;
  const faults = useFieldFaults(form, payload, lastRun);
  useEffect(() => updateAddress(payload), [updateAddress, payload]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed payload has not been added yet
  useEffect(() => setNumber(undefined), [payload]);

  const isBlocked = drafts.size > 0;
  const press = () => {
    if (!isBlocked && !isRunning) void running.run();
  };
  const members = listMembers(form);
  const requiredMembers = members.filter((member) => member.required);
  const missing = requiredMembers
    .filter((member) => !names.includes(member.name) && !isComplete(member, payload[member.name]))
    .map(({ name }) => name);
  const nextPage = (cursor: string) => {
    state.put(["cursor"], cursor);
    void running.run(false, { cursor });
  };
  const etag = running.runs.find((run) => run.etag !== undefined && run.payload.modelRef === payload.modelRef)?.etag;
  const secrets = listSecretNames(form).filter(
    (name) => names.includes(name) || requiredMembers.some((member) => member.name === name),
  );
  const call = {
    action,
    form,
    url: location.origin,
    payload: withVariables(form, payload, secrets),
    ...running.controls,
  };
  return (
    <div className={styles.panel} onKeyDownCapture={onRunKey(press)} data-action={ref}>
      <ActionAbout action={action} />
      {!may(ref) && !action.isPublic && (
        <Alert variant="outline" color="gray" className={styles.about}>
          {say("mayNot")}
        </Alert>
      )}
      <section className={styles.form} aria-label={say("form")}>
        <div className={styles.formHead}>
          <h2>{say("form")}</h2>
          {Object.keys(action.example).length > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => state.replace(action.example)}>
              {say("example")}
            </Button>
          )}
          {Object.keys(payload).length > 0 && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => state.replace({})}>
              {say("clear")}
            </Button>
          )}
        </div>
        <PayloadForm form={form} state={state} faults={faults.byField} prefix="f" />
        <RunConditions running={running} etag={etag} />
        <div className={styles.press}>
          <RunButton running={running} run={press} isBlocked={isBlocked} isDelete={action.intent === "delete"} />
          <Button
            className={styles.batch}
            variant="subtle"
            color="gray"
            px="xs"
            leftSection={<IconStack2 size={16} />}
            disabled={isBlocked}
            onClick={() => {
              batch.add({ group: action.group, action: action.name, payload: state.getWhole() });
              setNumber(batch.entries.length + 1);
            }}
          >
            {say("toBatch")}
          </Button>
          <div className={styles.hint} role="status">
            {isBlocked && (
              <Text size="xs" c="var(--mantine-color-error)">
                {say("correctFirst")}
              </Text>
            )}
            {!isBlocked && missing.length > 0 && <p className="hint">{say("needs", { names: formatList(missing) })}</p>}
            {number !== undefined && (
              <Text size="xs">
                {say("addedToBatch", { number })} · <Link to="/batch">{say("openBatch")}</Link>
              </Text>
            )}
          </div>
        </div>
      </section>
      <div className={styles.side}>
        <div className={styles.beside}>
          <PayloadJson form={form} state={state} />
          <CallsPane call={call} />
        </div>
      </div>
      {(lastRun || isRunning) && (
        <div className={styles.ended} aria-busy={isRunning}>
          {isRunning && job && <JobProgress job={job} stop={running.stop} />}
          {lastRun && (
            <RunResult
              run={lastRun}
              faults={faults.others}
              view={view}
              setView={setView}
              {...(running.takesMatch && { setIfMatch: running.setIfMatch })}
              {...(members.some(({ name }) => name === "cursor") && { nextPage })}
            />
          )}
        </div>
      )}
    </div>
  );
}

function ActionAbout({ action }: { readonly action: ActionDescription }) {
  const say = useWords("runner");
  // The description from the service ends with the rule for authorization.
  const [, text = action.description, rule] = /^(.*?)\s*Rule: `([^`]+)`\.\s*$/s.exec(action.description) ?? [];
  return (
    <div className={styles.about}>
      <Badge radius="sm">
        {action.intent in INTENTS ? say(INTENTS[action.intent as keyof typeof INTENTS]) : say("intentOther")}
      </Badge>
      {action.isPublic && <Badge radius="sm">{say("public")}</Badge>}
      {rule !== undefined && (
        <Badge radius="sm" lang="en">
          {rule}
        </Badge>
      )}
      <Spoiler className={styles.text} maxHeight={64} showLabel={say("more")} hideLabel={say("less")} lang="en">
        <MarkdownText text={text} />
      </Spoiler>
    </div>
  );
}

function JobProgress({ job, stop }: { readonly job: JobState; readonly stop: () => void }) {
  const say = useWords("runner");
  return (
    <div className={styles.job} role="status">
      <Text size="sm">
        {say("jobFollowed")} {job.total > 0 && say("jobProgress", { done: job.done, total: job.total })}
      </Text>
      <Progress
        value={job.total > 0 ? (100 * job.done) / job.total : 100}
        animated={job.total === 0}
        aria-label={say("running")}
      />
      <Link to="/jobs" search={{ job: job.jobRef.replace(/^id:/, "") }}>
        {say("jobLink")}
      </Link>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={stop}>
        {say("stop")}
      </Button>
    </div>
  );
}
