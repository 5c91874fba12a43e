import { Skeleton, Stack } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../words/words.ts";

/** Milliseconds before a skeleton appears. */
const DELAY = 300;

/** Renders its children after 300 ms, and announces to screen readers that content is loading. */
export function DelayedContent({ children }: { readonly children: ReactNode }): ReactNode {
  const say = useWords("frame");
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), DELAY);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" role="status" aria-label={say("loading")}>
      {isLate && children}
    </div>
  );
}

/** Skeleton of a table. */
export function TableSkeleton({ rows = 8 }: { readonly rows?: number }): ReactNode {
  return (
    <DelayedContent>
      <Stack gap={8}>
        {Array.from({ length: rows }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content
          <Skeleton key={at} height={28} width={`${96 - ((at * 7) % 30)}%`} />
        ))}
      </Stack>
    </DelayedContent>
  );
}

/** Skeleton of a page with a title and a text. */
export function PageSkeleton(): ReactNode {
  return (
    <DelayedContent>
      <Stack p="lg" gap="md">
        <Skeleton height={26} width="36%" />
        <Skeleton height={14} width="70%" />
        <Skeleton height={14} width="62%" />
        <Skeleton height={220} mt="md" />
      </Stack>
    </DelayedContent>
  );
}
