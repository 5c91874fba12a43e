import { ApiProblem } from "../../client/create-client.ts";

/** Returns the fault of a field by the name of its parameter; undefined for none. */
export function findFaultAt(problem: unknown, field: string): string | undefined {
  return listFaults(problem).find(({ pointer }) => isAt(pointer, field))?.detail;
}

/** Returns the problem unless the fields show all of its faults. */
export function findProblemWithoutField(problem: unknown, fields: readonly string[]): unknown {
  const faults = listFaults(problem);
  if (faults.length === 0) return problem ?? undefined;
  return faults.every(({ pointer }) => fields.some((field) => isAt(pointer, field))) ? undefined : problem;
}

function listFaults(problem: unknown): NonNullable<ApiProblem["errors"]> {
  return problem instanceof ApiProblem ? (problem.errors ?? []) : [];
}

function isAt(pointer: string, field: string): boolean {
  return pointer === `/${field}` || pointer.startsWith(`/${field}/`);
}
