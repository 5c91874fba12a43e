import { ApiProblem } from "../../client/create-client.ts";

/** The sentence of a fault without the name of its parameter, which the field has by itself. */
export function sentenceOf({ pointer, detail }: { readonly pointer: string; readonly detail: string }): string {
  const name = `${pointer.slice(1)}: `;
  return detail.startsWith(name) ? detail.slice(name.length) : detail;
}

/** The sentence of a refusal, as it stands at a field: its faults, or its one sentence. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  return error.errors?.map(sentenceOf).join("; ") || error.message;
}
