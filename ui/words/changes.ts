import { changes as en } from "./en/changes.ts";
import { wordsOf } from "./language.ts";

const useWords = wordsOf("changes", en, async () => (await import("./fr/changes.ts")).changes);

/** The words for kinds of objects, their members and changes. */
export const useChangesWords = useWords;

/** Answers the word for a kind of object; the kind itself where it has no word of ours. */
export function useKindWord(): (kind: string) => string {
  const say = useWords();
  return (kind) => (kind in en ? say(kind as "entity") : kind);
}

/** Answers the label of a member of an object; of one that has none, such as a property, its own name. */
export function useMemberWord(): (member: string) => string {
  const say = useWords();
  return (member) => (`member_${member}` in en ? say(`member_${member}` as "member_key") : member);
}
