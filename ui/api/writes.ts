import { type QueryClient, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Answer, ApiProblem, CallOptions } from "../../client/create-client.ts";
import { type ActionName, callByName, type InputOf, type OutputOf } from "./service.ts";

/** One write: what it takes, and the entity tag of the answer that the person saw. */
export interface Write<N extends ActionName = ActionName> {
  readonly input: InputOf<N>;
  readonly ifMatch?: string | undefined;
  readonly onProgress?: CallOptions["onProgress"];
  /** Sent with a write that the person may repeat, so that it is done once; false for an answer that is a secret. */
  readonly idempotencyKey?: string | false;
  /** Called once it is written, before anything is read again: to leave what is gone. */
  readonly done?: () => unknown;
}

/** The reads that a write may have made old: all of its model, and the lists of models. */
function isTouched(key: readonly unknown[], modelRef: string | undefined): boolean {
  const [, input] = key;
  const read = typeof input === "object" && input !== null && "modelRef" in input ? String(input.modelRef) : undefined;
  if (read === undefined || modelRef === undefined || read === modelRef) return true;
  // A model may be named by its id in one place and by its key in another.
  return read.split(":")[0] !== modelRef.split(":")[0];
}

/** Sends one write under the precondition that the model is as the person saw it. Throws `ApiProblem`. */
export async function sendWrite(
  action: string,
  write: { readonly input: object } & Omit<Write, "input">,
): Promise<Answer<unknown>> {
  const { input, ifMatch, done: _, ...options } = write;
  const seen = ifMatch === undefined ? undefined : getSeenRevision(ifMatch);
  const answer = await callByName(action, input, { ...options, ifMatch: seen });
  noteOwnWrite(seen, answer.etag);
  return answer;
}

/** What `useWrite` answers: `mutate` or `mutateAsync` take a `Write`. */
export type Writing<N extends ActionName> = UseMutationResult<Answer<OutputOf<N>>, ApiProblem, Write<N>>;

/**
 * Writes with an action. Writes go one after the other, so that each names the revision that the one before it made; what
 * was read of the model is read again.
 */
export function useWrite<N extends ActionName>(action: N): Writing<N> {
  const client = useQueryClient();
  return useMutation<Answer<OutputOf<N>>, ApiProblem, Write<N>>({
    mutationFn: async (write) =>
      // The client's types say what each action answers.
      (await sendWrite(action, { ...write, input: write.input as object })) as Answer<OutputOf<N>>,
    scope: { id: "writes" },
    onSuccess: async (_, { done }) => void (await done?.()),
    onSettled: (_, error, { input }) => {
      const read = forgetModel(client, (input as { readonly modelRef?: string }).modelRef);
      // A refusal is told at once, however long the reads take: they may wait for a service that is away.
      return error ? undefined : read;
    },
  });
}

/** Has everything read again that a write to a model may have made old; without a ref, all that was read. */
export function forgetModel(client: QueryClient, modelRef: string | undefined): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey, modelRef) });
}

/** What a write would do, told by the service without doing it. */
export async function dryRun<N extends ActionName>(action: N, write: Write<N>): Promise<Answer<OutputOf<N>>> {
  const { input, ifMatch } = write;
  const seen = ifMatch === undefined ? undefined : getSeenRevision(ifMatch);
  return (await callByName(action, input as object, { ifMatch: seen, dryRun: true })) as Answer<OutputOf<N>>;
}

/** The revisions that writes of this page made, each by the one it was made on. */
const followers = new Map<string, string>();

const getModelRevision = (etag: string): string => etag.replace(/\.\d+$/, "");

/** Notes that a write which held at one revision made another. */
function noteOwnWrite(before: string | undefined, after: string | undefined): void {
  if (before === undefined || after === undefined) return;
  const [from, to] = [getModelRevision(before), getModelRevision(after)];
  if (from !== to) followers.set(from, to);
}

/**
 * The revision that a write may name when the person saw `etag`: that one, or the last of the writes which this page made
 * on top of it, of which the person knows as well.
 */
function getSeenRevision(etag: string): string {
  let seen = getModelRevision(etag);
  for (let next = followers.get(seen); next !== undefined; next = followers.get(seen)) seen = next;
  return seen;
}
