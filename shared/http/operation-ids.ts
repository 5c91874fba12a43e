import type { Action } from "../actions/contract/action.ts";

/** Words that some language keeps for itself, so that a generated function cannot be called so. */
const RESERVED = new Set(
  "abstract and any as assert async await base bool boolean break byte case catch chan char class const continue debugger def default defer delete do double elif else enum event except export extends false final finally float for from func function global go goto if implements import in init instanceof int interface internal is lambda let lock long map match module namespace native new nil none not null object operator or out override package params pass private protected public raise range record ref return select self short signed static string struct super switch synchronized this throw throws transient true try type typeof union unsigned using var void volatile where while with yield".split(
    " ",
  ),
);

/**
 * The `operationId` of each action: its name as one word, `entityCreate`. The group stands in front where the name is a
 * reserved word or another group has it too: `modelImport`.
 */
export function operationIds(actions: readonly Action[]): ReadonlyMap<Action, string> {
  const named = Map.groupBy(actions, ({ name }) => name);
  return new Map(
    actions.map((action) => {
      const { group, name } = action;
      const isAmbiguous = RESERVED.has(name) || (named.get(name)?.length ?? 0) > 1;
      return [action, camelCase(isAmbiguous ? `${group}_${name}` : name)];
    }),
  );
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name of a type that belongs to an operation: `EntityCreateInput`. */
export function typeName(operationId: string, suffix: "Input" | "Answer"): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1) + suffix;
}
