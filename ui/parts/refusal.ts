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
