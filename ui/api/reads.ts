import {
  type InfiniteData,
  type QueryKey,
  queryOptions,
  skipToken,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { Answer, ApiProblem } from "../../client/create-client.ts";
import { type ActionName, call, callByName, type InputOf, type OutputOf } from "./service.ts";

/** State of a read: the answer with body, entity tag and cursor, or the problem. */
export type Read<O> = UseQueryResult<Answer<O>, ApiProblem>;

/** Returns the cache key for the answer of an action; unknown input is not cached. */
export const readKey = (action: string, input: object | undefined): QueryKey => [action, input];

/** Builds the query options of a read, which waits while `input` is undefined. */
export function buildReadQuery<N extends ActionName>(action: N, input: InputOf<N> | undefined) {
  return queryOptions<Answer<OutputOf<N>>, ApiProblem>({
    queryKey: readKey(action, input as object | undefined),
    queryFn: input === undefined ? skipToken : ({ signal }) => call(action, input, { signal }),
  });
}

/** Reads with an action, and again when the model changes. Waits while `input` is undefined. */
export function useRead<N extends ActionName>(
  action: N,
  input: InputOf<N> | undefined,
  { keep = false }: { readonly keep?: boolean } = {},
): Read<OutputOf<N>> {
  return useQuery({
    ...buildReadQuery(action, input),
    ...(keep && { placeholderData: (before: Answer<OutputOf<N>> | undefined) => before }),
  });
}

/** An action known only by its description, with its input. */
export interface NamedRead {
  readonly action: string;
  readonly input: object;
}

/** Reads with an action that is known only by its description. Waits while `asked` is undefined. */
export function useReadByName(request: NamedRead | undefined): Read<unknown> {
  return useQuery<Answer<unknown>, ApiProblem>({
    queryKey: readKey(request?.action ?? "", request?.input),
    queryFn: request === undefined ? skipToken : ({ signal }) => callByName(request.action, request.input, { signal }),
  });
}

type RowOf<N extends ActionName> = OutputOf<N> extends { readonly items: readonly (infer R)[] } ? R : never;

/** The part of a list that has been read. */
export interface Pages<R> {
  readonly rows: readonly R[];
  /** False until the first page has arrived. */
  readonly isThere: boolean;
  /** Reads the next page; undefined after the last page. */
  readonly more: (() => void) | undefined;
  readonly isReading: boolean;
  readonly problem: ApiProblem | null;
  readonly retry: () => void;
}

interface PagesOptions {
  readonly limit: number;
  /** Number of pages that are read automatically. */
  readonly first?: number;
  /** Keeps showing the previous list while another one is loading. */
  readonly keep?: boolean;
}

/** Reads a list page by page. Waits while `input` is undefined. */
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
            // The client's types guarantee that the action returns a list.
            return (await callByName(action, page, { signal })) as Answer<{ readonly items: readonly RowOf<N>[] }>;
          },
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
    ...(keep && { placeholderData: (before) => before }),
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, error, refetch, isFetching } = query;
  const isPending = hasNextPage && !isFetching && !error && (data?.pages.length ?? 0) < first;
  useEffect(() => {
    if (isPending) void fetchNextPage();
  }, [isPending, fetchNextPage]);
  return {
    rows: (data?.pages ?? []).flatMap(({ body }) => body.items),
    isThere: data !== undefined,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isReading: isFetching || isFetchingNextPage || isPending,
    problem: error,
    retry: () => void refetch(),
  };
}
