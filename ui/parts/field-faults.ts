import { ApiProblem } from "../../client/create-client.ts";

/** The sentence of a problem about one field of a form, by the name of its parameter; undefined where there is none. */
export function findFaultAt(problem: unknown, field: string): string | undefined {
  return listFaults(problem).find(({ pointer }) => isAt(pointer, field))?.detail;
}

/** A problem that no field of a form can show: undefined where the fields show all of it. */
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
