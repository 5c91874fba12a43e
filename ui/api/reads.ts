import { type QueryKey, queryOptions, skipToken, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Answer, ApiProblem } from "../../client/create-client.ts";
import { type ActionName, call, callByName, type InputOf, type OutputOf } from "./service.ts";

/** What a screen reads: the answer with its body, entity tag and cursor, or the problem. */
export type Read<O> = UseQueryResult<Answer<O>, ApiProblem>;

/** The key under which the answer of an action is kept; nothing is kept for an input that is not known yet. */
export const readKey = (action: string, input: object | undefined): QueryKey => [action, input];

/** How a read is asked for: by hooks, by loaders and by `queries.fetchQuery`. It waits while its input is undefined. */
export function readOf<N extends ActionName>(action: N, input: InputOf<N> | undefined) {
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
    ...readOf(action, input),
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
