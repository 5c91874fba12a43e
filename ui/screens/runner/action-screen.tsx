import { Button, Text } from "@mantine/core";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { useDescription } from "../../api/description.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { PageBody, PageHeader } from "../../parts/page.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { PageSkeleton } from "../../parts/skeletons.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { ActionPanel } from "./action-panel.tsx";
import type { JsonObject } from "./form/form-state.ts";
import { useRuns } from "./run/run.ts";
import styles from "./runner.module.css";
import { BatchLink, RunnerFrame } from "./runner-frame.tsx";

const route = getRouteApi("/shell/actions/$group/$action");

/** Milliseconds without typing before the payload goes into the address. */
const LINK_DELAY = 300;

/** Maximum characters of a payload in the address. */
const MAX_LINKED = 1_500;

/** Screen of one action. */
export function ActionScreen(): ReactNode {
  const say = useWords("runner");
  const { group, action: name } = route.useParams();
  const { q = "", payload, run: number, as: view = "table" } = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const { data, error, refetch } = useDescription();
  const { runs } = useRuns();
  const ref = `${group}/${name}`;
  const action = data?.actions.get(ref);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: no input goes into the address of another action
  useEffect(() => () => clearTimeout(timer.current), [ref]);
  const writtenText = useRef<string>(undefined);
  const link = useCallback(
    (next: JsonObject) => {
      clearTimeout(timer.current);
      const text = JSON.stringify(next);
      const linkedPayload = Object.keys(next).length > 0 && text.length <= MAX_LINKED ? next : undefined;
      if (writtenText.current === undefined && linkedPayload === undefined) return;
      writtenText.current = text;
      const pathname = router.latestLocation.pathname;
      timer.current = setTimeout(() => {
        // The person has already opened another action.
        if (router.latestLocation.pathname !== pathname) return;
        void navigate({ search: (before) => ({ ...before, payload: linkedPayload }), replace: true });
      }, LINK_DELAY);
    },
    [navigate, router],
  );
  const pastRun = runs.find((one) => one.number === number && one.action === ref);
  return (
    <RunnerFrame
      current={ref}
      searchText={q}
      search={(text) => void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })}
    >
      {action ? (
        <>
          <PageHeader
            title={action.title}
            heading={<span lang="en">{action.title}</span>}
            crumbs={[
              <Link key="actions" to="/actions">
                {say("actions")}
              </Link>,
              <span key="group" lang="en">
                {group}
              </span>,
            ]}
            state={<KeyText value={ref} most={80} />}
            actions={<BatchLink />}
          />
          <PageBody>
            <ActionPanel
              key={`${ref} ${number ?? ""}`}
              action={action}
              schemas={data?.schemas ?? {}}
              first={payload ?? pastRun?.payload ?? {}}
              updateAddress={link}
              view={view}
              setView={(next) =>
                void navigate({
                  search: (before) => ({ ...before, as: next === "table" ? undefined : next }),
                  replace: true,
                })
              }
            />
          </PageBody>
        </>
      ) : (
        <PageBody>
          {error && <ProblemBox problem={error} retry={() => void refetch()} />}
          {!error && !data && <PageSkeleton />}
          {data && (
            <EmptyState
              title={say("unknown", { action: ref })}
              text={say("unknownText")}
              action={
                <Button component={Link} to="/actions" variant="default">
                  {say("toActions")}
                </Button>
              }
            />
          )}
        </PageBody>
      )}
    </RunnerFrame>
  );
}

const actionsRoute = getRouteApi("/shell/actions");

/** Lists all actions, and the runs of this session. */
export function ActionsScreen(): ReactNode {
  const say = useWords("runner");
  const { q = "" } = actionsRoute.useSearch();
  const navigate = actionsRoute.useNavigate();
  return (
    <RunnerFrame
      isIndex
      searchText={q}
      search={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
    >
      <PageHeader title={say("actions")} actions={<BatchLink />} />
      <PageBody>
        <p style={{ margin: "0 0 24px", maxWidth: 640, color: "var(--mantine-color-dimmed)" }}>{say("chooseText")}</p>
        <PastRuns />
      </PageBody>
    </RunnerFrame>
  );
}

/** Lists the runs of this session; each opens again with its payload, without secrets. */
function PastRuns() {
  const say = useWords("runner");
  const { formatTime } = useFormats();
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
      <ol className="bare-list">
        {runs.map((run) => {
          const [group = "", action = ""] = run.action.split("/");
          return (
            <li key={run.number} className={styles.run}>
              <span className={styles.status} data-ok={run.ok || undefined}>
                {run.status || "–"}
              </span>
              <div className={styles.what}>
                <span lang="en">{run.title}</span>
                <span className="truncate quiet tiny mono" lang="en">
                  {JSON.stringify(run.payload)}
                </span>
                <span className="quiet tiny">
                  {formatTime(run.at)} · {say(run.dryRun ? "wasDry" : run.ok ? "succeeded" : "failed")}
                  {run.hadSecrets && <> · {say("repeatSecrets")}</>}
                </span>
              </div>
              <Button
                renderRoot={(props) => (
                  <Link
                    to="/actions/$group/$action"
                    params={{ group, action }}
                    search={{ run: run.number }}
                    {...props}
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
