import { ApiProblem } from "../../client/create-client.ts";

/** The sentence of a refusal, as it stands at a field: its faults, or its one sentence. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  return error.errors?.map(({ detail }) => detail).join("; ") || error.message;
}
