import { Badge } from "@mantine/core";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { useWords } from "../../words/words.ts";

type State = OutputOf<"batch/job_get">["state"];

const COLORS: Readonly<Record<State, string>> = {
  accepted: "dimmed",
  running: "var(--mantine-color-text)",
  done: "var(--sign-good)",
  failed: "var(--sign-breaking)",
  cancelled: "dimmed",
};

/** How a job stands, in a word. */
export function JobState({ state }: { readonly state: State }): ReactNode {
  const say = useWords("jobs");
  return (
    <Badge variant="default" tt="none" fw={500} c={COLORS[state]}>
      {say(state)}
    </Badge>
  );
}
