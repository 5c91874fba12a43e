import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFormats } from "../../words/formats.ts";
import { useRunnerWords } from "../../words/runner.ts";
import styles from "./past-runs.module.css";
import { useRuns } from "./run/runs.ts";

/** The runs of this session; each opens again as it was sent, but for its secrets. */
export function PastRuns(): ReactNode {
  const say = useRunnerWords();
  const { moment } = useFormats();
  const { runs, forget } = useRuns();
  return (
    <section className={styles.runs} aria-label={say("recent")}>
      <div className={styles.head}>
        <h2>{say("recent")}</h2>
        {runs.length > 0 && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={forget}>
            {say("clearRuns")}
          </Button>
        )}
      </div>
      {runs.length === 0 && <Text c="dimmed">{say("noRuns")}</Text>}
      <ol className={styles.list}>
        {runs.map((run) => {
          const [group = "", action = ""] = run.action.split("/");
          return (
            <li key={run.number} className={styles.run}>
              <span className={styles.status} data-ok={run.ok || undefined}>
                {run.status || "–"}
              </span>
              <div className={styles.what}>
                <span lang="en">{run.title}</span>
                <span className={styles.payload} lang="en">
                  {JSON.stringify(run.payload)}
                </span>
                <span className={styles.when}>
                  {moment(run.at)} · {say(run.dryRun ? "wasDry" : run.ok ? "succeeded" : "failed")}
                  {run.hadSecrets && <> · {say("repeatSecrets")}</>}
                </span>
              </div>
              <Button
                renderRoot={(shown) => (
                  <Link
                    to="/actions/$group/$action"
                    params={{ group, action }}
                    search={{ run: run.number }}
                    {...shown}
                  />
                )}
                size="compact-xs"
                variant="default"
                aria-label={`${say("repeat")}: ${run.title}`}
              >
                {say("repeat")}
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
