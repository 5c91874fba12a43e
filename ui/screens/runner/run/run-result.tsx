import { Button, CopyButton, SegmentedControl, UnstyledButton } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { ApiProblem } from "../../../../client/create-client.ts";
import { ProblemBox } from "../../../parts/problem-box.tsx";
import { MarkdownText } from "../../../parts/text/editable-text.tsx";
import { JsonEditor } from "../../../parts/text/json-editor.tsx";
import { useFormats } from "../../../words/formats.ts";
import { useWords } from "../../../words/words.ts";
import type { Fault } from "../form/faults.ts";
import styles from "../form/form.module.css";
import { isObject } from "../form/form-state.ts";
import type { EndedRun } from "./use-run.ts";
import { findTable, ValueTable } from "./value-table.tsx";

/** Presentation of an answer. */
export type ResultView = "table" | "json";

interface RunResultProps {
  readonly run: EndedRun;
  readonly faults: readonly Fault[];
  readonly view: ResultView;
  readonly setView: (view: ResultView) => void;
  /** Reads the next page; absent for actions without pages. */
  readonly nextPage?: ((cursor: string) => void) | undefined;
  readonly setIfMatch?: ((etag: string) => void) | undefined;
}

/** Status and names of a run, then its answer or problem. */
export function RunResult(props: RunResultProps): ReactNode {
  const { run, view, setView, nextPage } = props;
  const say = useWords("runner");
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the result of each run
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, [run]);
  const { answer, problem } = run.outcome;
  return (
    <section ref={box} className={styles.result} aria-label={say("result")}>
      <div className={styles.bar}>
        <h2>{say("result")}</h2>
        {answer && typeof answer.body !== "string" && (
          <SegmentedControl
            size="xs"
            aria-label={say("result")}
            value={view}
            onChange={(next) => setView(next === "json" ? "json" : "table")}
            data={[
              { value: "table", label: say("asTable") },
              { value: "json", label: say("json") },
            ]}
          />
        )}
      </div>
      <Facts run={run} />
      {problem && <RunProblem {...props} problem={problem} />}
      {answer &&
        (typeof answer.body === "string" ? (
          <MarkdownText text={answer.body} />
        ) : view === "table" ? (
          <ValueTable value={findTable(answer.body)} label={say("result")} />
        ) : (
          <JsonEditor label={say("result")} value={JSON.stringify(answer.body, null, 2) ?? ""} maxHeight={640} />
        ))}
      {answer?.next !== undefined && nextPage && (
        <Button variant="default" size="xs" onClick={() => nextPage(answer.next ?? "")}>
          {say("nextPage")}
        </Button>
      )}
    </section>
  );
}

function Facts({ run }: { readonly run: EndedRun }) {
  const say = useWords("runner");
  const frame = useWords("frame");
  const { formatNumber } = useFormats();
  const { answer, problem } = run.outcome;
  const status = answer?.status ?? problem?.status ?? 0;
  const body = isObject(answer?.body) ? answer.body : {};
  const headline = run.dryRun ? say("planned") : body.changed === false ? say("unchanged") : say("ok");
  const revision = answer?.revision;
  return (
    <dl className={styles.facts}>
      <div>
        <dt className="visually-hidden">{say("status")}</dt>
        <dd>
          <span className={styles.status} data-ended={problem ? "problem" : "answer"}>
            {status || "–"}
          </span>{" "}
          {problem ? <span lang="en">{problem.title}</span> : headline}
          {answer?.replayed && <span className="quiet"> · {say("replayed")}</span>}
        </dd>
      </div>
      <Fact name={say("revision")} text={revision === undefined ? undefined : formatNumber(revision)} />
      <Fact name={say("etag")} text={answer?.etag} canCopy />
      <Fact name={frame("requestId")} text={answer?.requestId ?? problem?.requestId} canCopy />
      <Fact name={say("duration")} text={say("milliseconds", { count: formatNumber(Math.round(run.took)) })} />
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly text: string | undefined;
  readonly canCopy?: boolean;
}

function Fact({ name, text, canCopy = false }: FactProps) {
  if (text === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{canCopy ? <CopyableText text={text} /> : text}</dd>
    </div>
  );
}

function CopyableText({ text }: { readonly text: string }) {
  const frame = useWords("frame");
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton className={styles.copied} onClick={copy} title={frame("copy")}>
          {copied ? frame("copied") : text}
        </UnstyledButton>
      )}
    </CopyButton>
  );
}

function RunProblem({ problem, faults, run, setIfMatch }: RunResultProps & { readonly problem: ApiProblem }) {
  const say = useWords("runner");
  const { currentRevision, changesSince, ...members } = problem;
  const visibleProblem = new ApiProblem(problem.code, problem.message, { ...members, errors: faults });
  const ledger = /^"?(.+)-\d+(?:\.\d+)?"?$/.exec(run.ifMatch.trim())?.[1];
  return (
    <>
      <ProblemBox problem={visibleProblem} />
      {problem.status === 412 && currentRevision !== undefined && ledger && setIfMatch && (
        <Button variant="default" size="xs" onClick={() => setIfMatch(`${ledger}-${currentRevision}`)}>
          {say("useRevision", { revision: currentRevision })}
        </Button>
      )}
      {changesSince && changesSince.length > 0 && (
        <section aria-label={say("changesSince")}>
          <h3 className={styles.member}>{say("changesSince")}</h3>
          <ValueTable value={changesSince} label={say("changesSince")} />
        </section>
      )}
    </>
  );
}
