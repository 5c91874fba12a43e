import { Skeleton, Stack } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../words/words.ts";

/** Milliseconds before a skeleton appears. */
const DELAY = 300;

/** Renders its children after 300 ms, and announces to screen readers that content is loading. */
export function Late({ children }: { readonly children: ReactNode }): ReactNode {
  const say = useWords("frame");
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" role="status" aria-label={say("loading")}>
      {late && children}
    </div>
  );
}

/** Skeleton of a table. */
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

/** Skeleton of a page with a title and a text. */
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
