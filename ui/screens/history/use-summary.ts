import { isShort, memberChanges } from "../../parts/changed/member-values.ts";
import { useChangesWords, useMemberWord } from "../../words/changes.ts";
import { useFormats } from "../../words/formats.ts";
import { type Change, shownMembers } from "./commits.ts";

/** Answers a change in one line: the values of a single short member, else which members changed. */
export function useSummary(): (change: Change) => string {
  const say = useChangesWords();
  const label = useMemberWord();
  const formats = useFormats();
  return ({ change, before, beforeByKey, after, afterByKey }) => {
    if (change !== "update") return "";
    const changes = memberChanges(shownMembers(before, beforeByKey), shownMembers(after, afterByKey), {
      yes: say("yes"),
      no: say("no"),
    });
    const [only, another] = changes;
    if (only && !another && isShort(only.before) && isShort(only.after))
      return `${label(only.member)}: ${only.before ?? say("nothing")} → ${only.after ?? say("nothing")}`;
    return formats.list(changes.map(({ member }) => label(member)));
  };
}
