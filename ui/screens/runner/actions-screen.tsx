import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PageBody } from "../../parts/page-body.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { useRunnerWords } from "../../words/runner.ts";
import { PastRuns } from "./past-runs.tsx";
import { BatchLink, RunnerFrame } from "./runner-frame.tsx";

const route = getRouteApi("/shell/actions");

/** All actions, and the runs of this session. */
export function Screen(): ReactNode {
  const say = useRunnerWords();
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <RunnerFrame isIndex sought={q} seek={(text) => void navigate({ search: { q: text || undefined }, replace: true })}>
      <PageHeader title={say("title")} actions={<BatchLink />} />
      <PageBody>
        <p style={{ margin: "0 0 24px", maxWidth: 640, color: "var(--mantine-color-dimmed)" }}>{say("chooseText")}</p>
        <PastRuns />
      </PageBody>
    </RunnerFrame>
  );
}
