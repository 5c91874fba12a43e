import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Answer, ApiProblem } from "../../client/create-client.ts";
import { readKey } from "./reads.ts";
import { type ActionName, callByName, type InputOf, type OutputOf } from "./service.ts";

/** The rows of a list that an action answers in pages. */
type RowOf<N extends ActionName> = OutputOf<N> extends { readonly items: readonly (infer R)[] } ? R : never;

/** A list as far as it has been read. */
export interface Pages<R> {
  readonly rows: readonly R[];
  /** False until the first page has come. */
  readonly isThere: boolean;
  /** Reads the next page; undefined where there is none. */
  readonly more: (() => void) | undefined;
  readonly isReading: boolean;
  readonly problem: ApiProblem | null;
  readonly again: () => void;
}

interface PagesOptions {
  readonly enabled?: boolean;
  /** Rows of one page. */
  readonly limit: number;
  /** Pages that are read without being asked for. */
  readonly first?: number;
  /** Shows what was read before while another list is on its way. */
  readonly keep?: boolean;
}

/** Reads a list page by page. */
export function usePages<N extends ActionName>(action: N, input: InputOf<N>, options: PagesOptions): Pages<RowOf<N>> {
  const { enabled = true, limit, first = 1, keep = false } = options;
  const query = useInfiniteQuery<
    Answer<{ readonly items: readonly RowOf<N>[] }>,
    ApiProblem,
    InfiniteData<Answer<{ readonly items: readonly RowOf<N>[] }>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: [...readKey(action, { ...(input as object), limit }), "pages"],
    queryFn: async ({ signal, pageParam }) => {
      const page = { ...(input as object), limit, ...(pageParam !== undefined && { cursor: pageParam }) };
      // The client's types say that the action answers a list.
      return (await callByName(action, page, { signal })) as Answer<{ readonly items: readonly RowOf<N>[] }>;
    },
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
    enabled,
    ...(keep && { placeholderData: (before) => before }),
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, error, refetch, isFetching } = query;
  const isOnItsWay = hasNextPage && !isFetching && !error && (data?.pages.length ?? 0) < first;
  useEffect(() => {
    if (isOnItsWay) void fetchNextPage();
  }, [isOnItsWay, fetchNextPage]);
  return {
    rows: (data?.pages ?? []).flatMap(({ body }) => body.items),
    isThere: data !== undefined,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isReading: isFetching || isFetchingNextPage || isOnItsWay,
    problem: error,
    again: () => void refetch(),
  };
}
