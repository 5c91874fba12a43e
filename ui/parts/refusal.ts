import { ApiProblem } from "../../client/create-client.ts";

/** Formats a fault without the name of its parameter, which the field already shows. */
export function formatFault({ pointer, detail }: { readonly pointer: string; readonly detail: string }): string {
  const name = `${pointer.slice(1)}: `;
  return detail.startsWith(name) ? detail.slice(name.length) : detail;
}

/** Formats a refusal for a field: its faults, or its message. */
export function formatRefusal(error: unknown): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  return error.errors?.map(formatFault).join("; ") || error.message;
}

/** Returns the faults of one pointer such as `/password`; undefined for none. */
export function findFaultText(problem: unknown, pointer: string): string | undefined {
  if (!(problem instanceof ApiProblem)) return undefined;
  const faults = (problem.errors ?? []).filter((fault) => fault.pointer === pointer);
  return faults.length > 0 ? faults.map(formatFault).join("; ") : undefined;
}
