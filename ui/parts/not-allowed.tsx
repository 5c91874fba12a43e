import { Button } from "@mantine/core";
import { IconLock, IconMoodEmpty } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ApiProblem } from "../../client/create-client.ts";
import { useWords } from "../words/words.ts";
import { EmptyState } from "./empty-state.tsx";

interface OfProblem {
  readonly problem: ApiProblem;
}

/** Stands for what the person may not see: what is missing, and who can give it. */
export function NotAllowed({ problem }: OfProblem): ReactNode {
  const say = useWords("frame");
  return (
    <EmptyState
      isPage
      icon={<IconLock size={28} stroke={1.5} aria-hidden />}
      title={say("notAllowed")}
      text={
        <>
          <span lang="en">{problem.message}.</span> {say("doAllowed")}
        </>
      }
    />
  );
}

/** Stands for an object that is not there any more. `past` leads to its history for those who may. */
export function Gone({ problem, past }: OfProblem & { readonly past?: ReactNode }): ReactNode {
  const say = useWords("frame");
  return (
    <EmptyState
      isPage
      icon={<IconMoodEmpty size={28} stroke={1.5} aria-hidden />}
      title={say("gone")}
      text={
        <>
          {say("goneText")}
          <br />
          <span lang="en">({problem.message})</span>
        </>
      }
      action={
        past ?? (
          <Button component={Link} to="/models" variant="default">
            {say("toModels")}
          </Button>
        )
      }
    />
  );
}
