import { PROBLEMS } from "../../../../shared/domain/problems.ts";
import type { SentCall } from "../reference/answer.ts";
import type { Expected } from "../reference/expected-answer.ts";
import { STATUS_BY_CONTRACT } from "../reference/problem.ts";
import type { Binding } from "./binding.ts";
import type { Outcome } from "./clocked-world.ts";

/** A sentence that tells how the outcome of a call differs from the expected one; undefined when it does not. */
export function differs(binding: Binding, expected: Expected, outcome: Outcome, call: SentCall): string | undefined {
  if ("refusal" in expected) {
    const { code, facts } = expected.refusal;
    if (!("problem" in outcome)) return `expected ${code}, got the answer ${JSON.stringify(outcome.answer.body)}`;
    const { problem } = outcome;
    if (problem.code !== code) return `expected ${code}, got ${problem.code}: ${problem.message}`;
    const { status } = PROBLEMS[problem.code];
    if (status !== STATUS_BY_CONTRACT[code]) return `${code} has the status ${status}`;
    const wrong = facts.pointers && samePointers(facts.pointers, problem.members.errors ?? []);
    if (wrong !== undefined) return wrong;
    const named = facts.mentions?.map((text) => binding.toReal(text, () => ""));
    if (named && !named.some((text) => problem.message.includes(text)))
      return `the sentence of ${code} does not name ${named.join(" or ")}: ${problem.message}`;
    const told = problem.members;
    return binding.differs(
      { currentRevision: facts.currentRevision, entry: facts.entry, plan: facts.plan },
      { currentRevision: told.currentRevision, entry: told.entry, plan: told.plan },
    );
  }
  if ("problem" in outcome)
    return `expected an answer, got ${outcome.problem.code}: ${outcome.problem.message} (${call.action})`;
  const { mediaType, body, next, ...rest } = outcome.answer;
  const wanted = expected.answer;
  if (mediaType !== "application/json") return `the media type ${mediaType}`;
  if ((next === undefined) !== (wanted.next === undefined)) return `next page: expected ${wanted.next}, got ${next}`;
  const { next: _, ...facts } = wanted;
  // A body is sent without members that have no value.
  const sent = body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);
  return binding.differs(facts, { ...rest, body: sent });
}

function samePointers(wanted: readonly string[], errors: readonly { readonly pointer: string }[]): string | undefined {
  const sorted = (all: readonly string[]) => [...new Set(all)].sort().join(" ");
  const got = sorted(errors.map((e) => e.pointer));
  return got === sorted(wanted) ? undefined : `expected the pointers ${sorted(wanted)}, got ${got}`;
}
