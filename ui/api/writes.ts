import { type QueryClient, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Answer, ApiProblem, CallOptions } from "../../client/create-client.ts";
import { type ActionName, callByName, type InputOf, type OutputOf } from "./service.ts";

/** A write: its input, and the entity tag of the answer that the person saw. */
export interface Write<N extends ActionName = ActionName> {
  readonly input: InputOf<N>;
  readonly ifMatch?: string | undefined;
  readonly onProgress?: CallOptions["onProgress"];
  /** Idempotency key, so that a repeated write runs once; false for an action whose answer is a secret. */
  readonly idempotencyKey?: string | false;
  /** Called after the write and before any read, for example to leave a deleted object. */
  readonly onDone?: () => unknown;
}

/** Returns true for reads that a write may have made stale: those of its model, and lists of models. */
function isTouched(key: readonly unknown[], modelRef: string | undefined) {
  const [, input] = key;
  const ref = typeof input === "object" && input !== null && "modelRef" in input ? String(input.modelRef) : undefined;
  if (ref === undefined || modelRef === undefined || ref === modelRef) return true;
  // One ref may name the model by id and the other one by key.
  return ref.split(":")[0] !== modelRef.split(":")[0];
}

/** Sends a write with the revision that the person saw as precondition. Throws `ApiProblem`. */
export async function sendWrite(
  action: string,
  write: { readonly input: object } & Omit<Write, "input">,
): Promise<Answer<unknown>> {
  const { input, ifMatch, onDone: _, ...options } = write;
  const revision = ifMatch === undefined ? undefined : getSeenRevision(ifMatch);
  const answer = await callByName(action, input, { ...options, ifMatch: revision });
  recordWrite(revision, answer.etag);
  return answer;
}

/** Result of `useWrite`: `mutate` and `mutateAsync` take a `Write`. */
export type Writing<N extends ActionName> = UseMutationResult<Answer<OutputOf<N>>, ApiProblem, Write<N>>;

/** Writes with an action: one write after the other, each on the revision of the previous one. */
export function useWrite<N extends ActionName>(action: N): Writing<N> {
  const client = useQueryClient();
  return useMutation<Answer<OutputOf<N>>, ApiProblem, Write<N>>({
    mutationFn: async (write) =>
      // The client's types define the answer of each action.
      (await sendWrite(action, { ...write, input: write.input as object })) as Answer<OutputOf<N>>,
    scope: { id: "writes" },
    onSuccess: async (_, { onDone }) => void (await onDone?.()),
    onSettled: (_, error, { input }) => {
      const read = invalidateModel(client, (input as { readonly modelRef?: string }).modelRef);
      // A refusal is reported at once, without waiting for the reads: the service may be unreachable.
      return error ? undefined : read;
    },
  });
}

/** Invalidates all reads that a write to a model may have made stale; without a ref, all reads. */
export function invalidateModel(client: QueryClient, modelRef: string | undefined): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey, modelRef) });
}

/** Runs a write as a dry run and returns its answer. */
export async function dryRun<N extends ActionName>(action: N, write: Write<N>): Promise<Answer<OutputOf<N>>> {
  const { input, ifMatch } = write;
  const revision = ifMatch === undefined ? undefined : getSeenRevision(ifMatch);
  return (await callByName(action, input as object, { ifMatch: revision, dryRun: true })) as Answer<OutputOf<N>>;
}

/** Revisions created by writes of this page, by the revision they were based on. */
const followers = new Map<string, string>();

const getModelRevision = (etag: string) => etag.replace(/\.\d+$/, "");

function recordWrite(before: string | undefined, after: string | undefined) {
  if (before === undefined || after === undefined) return;
  const [from, to] = [getModelRevision(before), getModelRevision(after)];
  if (from !== to) followers.set(from, to);
}

/** Returns the newest revision that the person knows: `etag`, or the last write of this page based on it. */
function getSeenRevision(etag: string) {
  let revision = getModelRevision(etag);
  for (let next = followers.get(revision); next !== undefined; next = followers.get(revision)) revision = next;
  return revision;
}
