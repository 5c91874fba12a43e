import { ApiProblem } from "../../client/create-client.ts";
import { sentenceOf } from "./refusal.ts";

/** The sentence of a problem about one place of a payload, such as `/password`; undefined where it has none. */
export function faultAt(problem: unknown, pointer: string): string | undefined {
  if (!(problem instanceof ApiProblem)) return undefined;
  const faults = (problem.errors ?? []).filter((fault) => fault.pointer === pointer);
  return faults.length > 0 ? faults.map(sentenceOf).join("; ") : undefined;
}
