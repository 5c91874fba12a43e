import { Skeleton, Stack } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../words/words.ts";

/** Milliseconds after which waiting is shown. */
const PATIENCE = 300;

interface LateProps {
  readonly children: ReactNode;
}

/** Draws its children when the waiting has lasted 300 ms, and tells screen readers that something loads. */
export function Late({ children }: LateProps): ReactNode {
  const say = useWords("frame");
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" role="status" aria-label={say("loading")}>
      {late && children}
    </div>
  );
}

/** The shape of a table while it loads. */
export function TableSkeleton({ rows = 8 }: { readonly rows?: number }): ReactNode {
  return (
    <Late>
      <Stack gap={8}>
        {Array.from({ length: rows }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content
          <Skeleton key={at} height={28} width={`${96 - ((at * 7) % 30)}%`} />
        ))}
      </Stack>
    </Late>
  );
}

/** The shape of a page with a title and a text while it loads. */
export function PageSkeleton(): ReactNode {
  return (
    <Late>
      <Stack p="lg" gap="md">
        <Skeleton height={26} width="36%" />
        <Skeleton height={14} width="70%" />
        <Skeleton height={14} width="62%" />
        <Skeleton height={220} mt="md" />
      </Stack>
    </Late>
  );
}
