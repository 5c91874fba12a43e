import { Button } from "@mantine/core";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { useDescription } from "../../api/description.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { KeyText } from "../../parts/key-text.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { PageSkeleton } from "../../parts/skeletons.tsx";
import { useRunnerWords } from "../../words/runner.ts";
import { ActionPanel } from "./action-panel.tsx";
import type { JsonObject } from "./form/pointer.ts";
import { useRuns } from "./run/runs.ts";
import { BatchLink, RunnerFrame } from "./runner-frame.tsx";

const route = getRouteApi("/shell/actions/$group/$action");

/** Milliseconds after which what is typed goes into the address. */
const SETTLED = 300;

/** Characters of a payload beyond which it stays out of the address. */
const LINKED = 1_500;

/** One action of the service. */
export function Screen(): ReactNode {
  const say = useRunnerWords();
  const { group, action: name } = route.useParams();
  const { q = "", payload, run: number, as = "table" } = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const { data, error, refetch } = useDescription();
  const { runs } = useRuns();
  const ref = `${group}/${name}`;
  const action = data?.actions.get(ref);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed for one action is no part of another's address
  useEffect(() => () => clearTimeout(timer.current), [ref]);
  const written = useRef<string>(undefined);
  const link = useCallback(
    (next: JsonObject) => {
      clearTimeout(timer.current);
      const text = JSON.stringify(next);
      const linked = Object.keys(next).length > 0 && text.length <= LINKED ? next : undefined;
      if (written.current === undefined && linked === undefined) return;
      written.current = text;
      const here = router.latestLocation.pathname;
      timer.current = setTimeout(() => {
        // Whoever is on the way to another action is not brought back.
        if (router.latestLocation.pathname !== here) return;
        void navigate({ search: (before) => ({ ...before, payload: linked }), replace: true });
      }, SETTLED);
    },
    [navigate, router],
  );
  const past = runs.find((one) => one.number === number && one.action === ref);
  return (
    <RunnerFrame
      current={ref}
      sought={q}
      seek={(text) => void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })}
    >
      {action ? (
        <>
          <PageHeader
            title={action.title}
            heading={<span lang="en">{action.title}</span>}
            crumbs={[
              <Link key="actions" to="/actions">
                {say("title")}
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
              first={payload ?? past?.payload ?? {}}
              link={link}
              as={as}
              setAs={(next) =>
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
          {error && <ProblemBox problem={error} again={() => void refetch()} />}
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
