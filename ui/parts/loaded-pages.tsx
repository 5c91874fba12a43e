import { Box, Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { Pages } from "../api/pages.ts";
import { useWords } from "../words/words.ts";
import { NotAllowed } from "./not-allowed.tsx";
import { ProblemBox } from "./problem-box.tsx";
import { TableSkeleton } from "./skeletons.tsx";

interface LoadedPagesProps<R> {
  readonly pages: Pages<R>;
  /** Stands where there are no rows at all. */
  readonly empty: ReactNode;
  /** Draws the rows of all pages that were read. */
  readonly children: (rows: readonly R[]) => ReactNode;
}

/** Draws a list that is read page by page, in each of its states, with a button for the next page. */
export function LoadedPages<R>({ pages, empty, children }: LoadedPagesProps<R>): ReactNode {
  const say = useWords("frame");
  const { rows, isThere, more, isReading, problem, again } = pages;
  if (!isThere && problem?.status === 403) return <NotAllowed problem={problem} />;
  const fault = problem && (
    <Box py="sm" maw={760}>
      <ProblemBox problem={problem} again={again} />
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
