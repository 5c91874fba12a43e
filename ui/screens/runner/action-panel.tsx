import { Alert, Badge, Button, Progress, Spoiler, Text } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { ActionDescription, Schemas } from "../../api/description.ts";
import { useMay } from "../../api/rights.ts";
import { invalidateModel } from "../../api/writes.ts";
import { MarkdownText } from "../../parts/text/editable-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { useEntries } from "./batch/batch-call.ts";
import { withVariables } from "./calls/call.ts";
import { CallsPane } from "./calls/calls-pane.tsx";
import { onRunKey, RunButton, RunConditions } from "./conditions.tsx";
import { createForm } from "./form/field.ts";
import { isComplete } from "./form/fit.ts";
import { type JsonObject, listSecretNames } from "./form/form-state.ts";
import { PayloadForm, PayloadJson } from "./form/payload-json.tsx";
import { usePayload } from "./form/use-payload.ts";
import { type JobState, useRuns } from "./run/run.ts";
import { RunResult, type ShowAs } from "./run/run-result.tsx";
import { useFieldFaults, useRun } from "./run/use-run.ts";
import styles from "./runner.module.css";

interface ActionPanelProps {
  readonly action: ActionDescription;
  readonly schemas: Schemas;
  /** The payload in the address. */
  readonly first: JsonObject;
  /** Puts the payload into the address. */
  readonly updateAddress: (payload: JsonObject) => void;
  readonly as: ShowAs;
  readonly setAs: (as: ShowAs) => void;
}

const INTENTS = { read: "read", create: "create", update: "update", delete: "delete" } as const;

/** Screen of an action: form and JSON of the payload, headers, code samples and the result. */
export function ActionPanel({ action, schemas, first, updateAddress, as, setAs }: ActionPanelProps): ReactNode {
  const say = useWords("runner");
  const { formatList } = useFormats();
  const client = useQueryClient();
  const may = useMay();
  const ref = `${action.group}/${action.name}`;
  const form = useMemo(() => createForm(action.input, schemas), [action, schemas]);
  const state = usePayload(form, first);
  const { payload, given, drafts } = state;
  const canRehearse = action.controls.has("Dry-Run");
  const takesKey = action.controls.has("Idempotency-Key");
  const takesMatch = action.controls.has("If-Match");
  const [dryFirst, setDryFirst] = useState(canRehearse);
  const [ifMatch, setIfMatch] = useState("");
  const { runs, note } = useRuns();
  const batch = useEntries();
  const [added, setAdded] = useState<number>();
  const running = useRun({
    action,
    state,
    takesKey,
    ifMatch,
    note,
    onSettled: () => void invalidateModel(client, undefined),
  });
  const { ended, isRunning, job, rehearsed } = running;
  const faults = useFieldFaults(form, payload, ended);
  useEffect(() => updateAddress(payload), [updateAddress, payload]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed payload has not been added yet
  useEffect(() => setAdded(undefined), [payload]);

  const isRehearsal = canRehearse && dryFirst && rehearsed !== running.signature;
  const isBlocked = drafts.size > 0;
  const press = (): void => {
    if (!isBlocked && !isRunning) void running.run(isRehearsal);
  };
  const missing =
    form.control.kind === "object"
      ? form.control.members
          .filter(
            (member) => member.required && !given.includes(member.name) && !isComplete(member, payload[member.name]),
          )
          .map(({ name }) => name)
      : [];
  const hasExample = Object.keys(action.example).length > 0;
  const hasCursor = form.control.kind === "object" && form.control.members.some(({ name }) => name === "cursor");
  const seen = runs.find((run) => run.etag !== undefined && run.payload.modelRef === payload.modelRef)?.etag;
  const secrets = listSecretNames(form);
  const needed = new Set(
    form.control.kind === "object" ? form.control.members.filter((m) => m.required).map((m) => m.name) : [],
  );
  const call = {
    action,
    form,
    url: location.origin,
    payload: withVariables(
      form,
      payload,
      secrets.filter((name) => given.includes(name) || needed.has(name)),
    ),
    ifMatch: takesMatch ? ifMatch : undefined,
    idempotencyKey: takesKey ? running.key : undefined,
    dryRun: isRehearsal,
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
          {hasExample && (
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
        {(takesKey || takesMatch) && (
          <RunConditions
            ifMatch={takesMatch ? { value: ifMatch, set: setIfMatch, seen } : undefined}
            idempotencyKey={takesKey ? { value: running.key, set: running.setKey, renew: running.renewKey } : undefined}
          />
        )}
        <div className={styles.press}>
          <RunButton
            run={press}
            isRunning={isRunning}
            isBlocked={isBlocked}
            isDryRun={isRehearsal}
            isDelete={action.intent === "delete"}
            dryFirst={canRehearse ? { value: dryFirst, set: setDryFirst } : undefined}
          />
          <Button
            className={styles.batch}
            variant="subtle"
            color="gray"
            px="xs"
            leftSection={<IconStack2 size={16} />}
            disabled={isBlocked}
            onClick={() => {
              batch.add({ group: action.group, action: action.name, payload: state.getWhole() });
              setAdded(batch.entries.length + 1);
            }}
          >
            {say("toBatch")}
          </Button>
          <div className={styles.hint} role="status">
            {isBlocked && (
              <Text size="xs" c="var(--mantine-color-error)">
                {say("mendFirst")}
              </Text>
            )}
            {!isBlocked && missing.length > 0 && (
              <Text size="xs" c="dimmed">
                {say("needs", { names: formatList(missing) })}
              </Text>
            )}
            {added !== undefined && (
              <Text size="xs">
                {say("addedToBatch", { number: added })} · <Link to="/batch">{say("openBatch")}</Link>
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
      {(ended || isRunning) && (
        <div className={styles.ended} aria-busy={isRunning}>
          {isRunning && job && <JobProgress job={job} stop={running.stop} />}
          {ended && (
            <RunResult
              run={ended}
              faults={faults.others}
              as={as}
              setAs={setAs}
              setIfMatch={takesMatch ? setIfMatch : undefined}
              nextPage={
                hasCursor
                  ? (cursor) => {
                      state.put(["cursor"], cursor);
                      void running.run(false, { ...state.getWhole(), cursor });
                    }
                  : undefined
              }
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Intent, access and description of an action. */
function ActionAbout({ action }: { readonly action: ActionDescription }): ReactNode {
  const say = useWords("runner");
  // The description from the service ends with the rule for authorization.
  const [, text = action.description, rule] = /^(.*?)\s*Rule: `([^`]+)`\.\s*$/s.exec(action.description) ?? [];
  return (
    <div className={styles.about}>
      <Badge variant="default" radius="sm" tt="none" fw={500}>
        {action.intent in INTENTS ? say(INTENTS[action.intent as keyof typeof INTENTS]) : say("intentOther")}
      </Badge>
      {action.isPublic && (
        <Badge variant="default" radius="sm" tt="none" fw={500}>
          {say("public")}
        </Badge>
      )}
      {rule !== undefined && (
        <Badge variant="default" radius="sm" tt="none" fw={500} lang="en">
          {rule}
        </Badge>
      )}
      <Spoiler className={styles.text} maxHeight={64} showLabel={say("more")} hideLabel={say("less")} lang="en">
        <MarkdownText text={text} />
      </Spoiler>
    </div>
  );
}

interface JobProgressProps {
  readonly job: JobState;
  readonly stop: () => void;
}

/** Progress of a job that a run waits for. */
function JobProgress({ job, stop }: JobProgressProps): ReactNode {
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
