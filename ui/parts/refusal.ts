import { ApiProblem } from "../../client/create-client.ts";

/** The sentence of a fault without the name of its parameter, which the field has by itself. */
export function formatFault({ pointer, detail }: { readonly pointer: string; readonly detail: string }): string {
  const name = `${pointer.slice(1)}: `;
  return detail.startsWith(name) ? detail.slice(name.length) : detail;
}

/** The sentence of a refusal, as it stands at a field: its faults, or its one sentence. */
export function formatRefusal(error: unknown): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  return error.errors?.map(formatFault).join("; ") || error.message;
}

/** The sentence of a problem about one place of a payload, such as `/password`; undefined where it has none. */
export function findFaultText(problem: unknown, pointer: string): string | undefined {
  if (!(problem instanceof ApiProblem)) return undefined;
  const faults = (problem.errors ?? []).filter((fault) => fault.pointer === pointer);
  return faults.length > 0 ? faults.map(formatFault).join("; ") : undefined;
}
