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

/** What a screen reads: the answer with its body, entity tag and cursor, or the problem. */
export type Read<O> = UseQueryResult<Answer<O>, ApiProblem>;

/** The key under which the answer of an action is kept; nothing is kept for an input that is not known yet. */
export const readKey = (action: string, input: object | undefined): QueryKey => [action, input];

/** How a read is asked for: by hooks, by loaders and by `queries.fetchQuery`. It waits while its input is undefined. */
export function buildReadQuery<N extends ActionName>(action: N, input: InputOf<N> | undefined) {
  return queryOptions<Answer<OutputOf<N>>, ApiProblem>({
    queryKey: readKey(action, input as object | undefined),
    queryFn: input === undefined ? skipToken : ({ signal }) => call(action, input, { signal }),
  });
}

/** Reads with an action, and reads again when the model moves. It waits while the input is not known, which undefined says. */
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

/** An action that only its description knows, and what it takes. */
export interface NamedRead {
  readonly action: string;
  readonly input: object;
}

/** Reads with an action that only its description knows, once there is one to read with. */
export function useReadByName(asked: NamedRead | undefined): Read<unknown> {
  return useQuery<Answer<unknown>, ApiProblem>({
    queryKey: readKey(asked?.action ?? "", asked?.input),
    queryFn: asked === undefined ? skipToken : ({ signal }) => callByName(asked.action, asked.input, { signal }),
  });
}

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
