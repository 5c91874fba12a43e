import { ApiProblem } from "../../client/create-client.ts";

/** Returns the fault of a field by the name of its parameter; undefined for none. */
export const findFaultAt = (problem: unknown, field: string): string | undefined =>
  listFaultsAt(problem, field)[0]?.detail;

/** Lists the faults of a field and of the values in it, by the name of its parameter. */
export function listFaultsAt(problem: unknown, field: string): NonNullable<ApiProblem["errors"]> {
  return listFaults(problem).filter(({ pointer }) => isAt(pointer, field));
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

function isAt(pointer: string, field: string) {
  return pointer === `/${field}` || pointer.startsWith(`/${field}/`);
}
