import { type InfiniteData, skipToken, useInfiniteQuery } from "@tanstack/react-query";
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
  /** Rows of one page. */
  readonly limit: number;
  /** Pages that are read without being asked for. */
  readonly first?: number;
  /** Shows what was read before while another list is on its way. */
  readonly keep?: boolean;
}

/** Reads a list page by page. It waits while the input is not known, which undefined says. */
export function usePages<N extends ActionName>(
  action: N,
  input: InputOf<N> | undefined,
  { limit, first = 1, keep = false }: PagesOptions,
): Pages<RowOf<N>> {
  const query = useInfiniteQuery<
    Answer<{ readonly items: readonly RowOf<N>[] }>,
    ApiProblem,
    InfiniteData<Answer<{ readonly items: readonly RowOf<N>[] }>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: [...readKey(action, input && { ...input, limit }), "pages"],
    queryFn:
      input === undefined
        ? skipToken
        : async ({ signal, pageParam }) => {
            const page = { ...input, limit, ...(pageParam !== undefined && { cursor: pageParam }) };
            // The client's types say that the action answers a list.
            return (await callByName(action, page, { signal })) as Answer<{ readonly items: readonly RowOf<N>[] }>;
          },
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
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
