import { Box, Button, Group } from "@mantine/core";
import { IconLock, IconMoodEmpty } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer, ApiProblem } from "../../client/create-client.ts";
import type { Pages, Read } from "../api/reads.ts";
import { useWords } from "../words/words.ts";
import { EmptyState } from "./empty-state.tsx";
import { ProblemBox } from "./problem-box.tsx";
import { PageSkeleton, TableSkeleton } from "./skeletons.tsx";

interface LoadedBodyProps<O> {
  readonly read: Read<O>;
  readonly skeleton?: ReactNode;
  readonly past?: ReactNode;
  readonly children: (body: O, answer: Answer<O>) => ReactNode;
}

/** Renders each state of a read: loading, not permitted, gone, failed, or the answer. */
export function LoadedBody<O>({ read, skeleton, past, children }: LoadedBodyProps<O>): ReactNode {
  const { data, error, refetch } = read;
  if (data) return children(data.body, data);
  if (!error) return skeleton ?? <PageSkeleton />;
  if (error.status === 403) return <ForbiddenMessage problem={error} />;
  if (error.status === 404) return <GoneMessage problem={error} past={past} />;
  return (
    <Box p="lg" maw={760}>
      <ProblemBox problem={error} retry={() => void refetch()} />
    </Box>
  );
}

interface LoadedPagesProps<R> {
  readonly pages: Pages<R>;
  readonly empty: ReactNode;
  readonly children: (rows: readonly R[]) => ReactNode;
}

/** Renders each state of a paginated list, with a button for the next page. */
export function LoadedPages<R>({ pages, empty, children }: LoadedPagesProps<R>): ReactNode {
  const say = useWords("frame");
  const { rows, isThere, more, isReading, problem, retry } = pages;
  if (!isThere && problem?.status === 403) return <ForbiddenMessage problem={problem} />;
  const fault = problem && (
    <Box py="sm" maw={760}>
      <ProblemBox problem={problem} retry={retry} />
    </Box>
  );
  if (!isThere) return fault ?? <TableSkeleton />;
  return (
    <>
      {rows.length === 0 && !more ? empty : children(rows)}
      {fault}
      {more && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={isReading} onClick={more}>
            {say("showMore")}
          </Button>
        </Group>
      )}
    </>
  );
}

interface OfProblem {
  readonly problem: ApiProblem;
}

function ForbiddenMessage({ problem }: OfProblem) {
  const say = useWords("frame");
  return (
    <EmptyState
      isPage
      icon={IconLock}
      title={say("notAllowed")}
      text={
        <>
          <span lang="en">{problem.message}.</span> {say("doAllowed")}
        </>
      }
    />
  );
}

function GoneMessage({ problem, past }: OfProblem & { readonly past?: ReactNode }) {
  const say = useWords("frame");
  return (
    <EmptyState
      isPage
      icon={IconMoodEmpty}
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
