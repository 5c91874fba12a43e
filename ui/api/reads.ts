import { type QueryKey, queryOptions, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Answer, ApiProblem } from "../../client/create-client.ts";
import { type ActionName, call, callByName, type InputOf, type OutputOf } from "./service.ts";

/** What a screen reads: the answer with its body, entity tag and cursor, or the problem. */
export type Read<O> = UseQueryResult<Answer<O>, ApiProblem>;

/** The key under which the answer of an action is kept. */
export const readKey = (action: string, input: object): QueryKey => [action, input];

/** How a read is asked for: by hooks, by loaders and by `queries.fetchQuery`. */
export function readOf<N extends ActionName>(action: N, input: InputOf<N>) {
  return queryOptions<Answer<OutputOf<N>>, ApiProblem>({
    queryKey: readKey(action, input as object),
    queryFn: ({ signal }) => call(action, input, { signal }),
  });
}

/** Reads with an action, and reads again when the model moves. `enabled: false` waits. */
export function useRead<N extends ActionName>(
  action: N,
  input: InputOf<N>,
  options: { readonly enabled?: boolean; readonly keep?: boolean } = {},
): Read<OutputOf<N>> {
  const { enabled = true, keep = false } = options;
  return useQuery({
    ...readOf(action, input),
    enabled,
    ...(keep && { placeholderData: (before: Answer<OutputOf<N>> | undefined) => before }),
  });
}

/** Reads with an action that only its description knows. */
export function useReadByName(action: string, input: object, enabled = true): Read<unknown> {
  return useQuery<Answer<unknown>, ApiProblem>({
    queryKey: readKey(action, input),
    queryFn: ({ signal }) => callByName(action, input, { signal }),
    enabled,
  });
}
