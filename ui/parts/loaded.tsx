import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import type { Answer } from "../../client/create-client.ts";
import type { Read } from "../api/reads.ts";
import { Gone, NotAllowed } from "./not-allowed.tsx";
import { ProblemBox } from "./problem-box.tsx";
import { PageSkeleton } from "./skeletons.tsx";

interface LoadedProps<O> {
  readonly read: Read<O>;
  /** The real shape of what comes; that of a page unless given. */
  readonly skeleton?: ReactNode;
  /** Leads on where what is read is not there. */
  readonly past?: ReactNode;
  /** Draws what was read. */
  readonly children: (body: O, answer: Answer<O>) => ReactNode;
}

/** Draws a read in each of its states: loading, not allowed, gone, failed, or what was read. */
export function Loaded<O>({ read, skeleton, past, children }: LoadedProps<O>): ReactNode {
  const { data, error, refetch } = read;
  if (data) return children(data.body, data);
  if (!error) return skeleton ?? <PageSkeleton />;
  if (error.status === 403) return <NotAllowed problem={error} />;
  if (error.status === 404) return <Gone problem={error} past={past} />;
  return (
    <Box p="lg" maw={760}>
      <ProblemBox problem={error} again={() => void refetch()} />
    </Box>
  );
}
