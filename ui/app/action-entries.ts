import { useNavigate } from "@tanstack/react-router";
import { useRead } from "../api/reads.ts";
import { useSession } from "../api/session.ts";
import { useFrameWords } from "../words/frame.ts";
import type { PaletteGroup } from "./palette-source.ts";

/** Entries that are shown at a time. */
const SHOWN = 12;

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** True where what is typed is the name of an action, with its group or without. */
function isNamed(actionRef: string, words: readonly string[]): boolean {
  return words.length === 1 && (actionRef === words[0] || actionRef.slice(actionRef.indexOf("/") + 1) === words[0]);
}

/** Finds the actions that the person may run, by words of their titles and names; they open in the runner. */
export function useActionEntries(typed: string): PaletteGroup {
  const say = useFrameWords();
  const navigate = useNavigate();
  const session = useSession();
  const read = useRead("config/inspect_actions", session && {});
  const run = folded(say("paletteRunWord"));
  const words = folded(typed).split(/\s+/).filter(Boolean);
  // "run create entity" means the same as "create entity".
  const sought = words[0] === run ? words.slice(1) : words;
  const isAsked = words.length > 0;
  const entries = (isAsked ? (read.data?.body.items ?? []) : [])
    .filter(({ actionRef, title }) => {
      const within = folded(`${title} ${actionRef} ${actionRef.replaceAll(/[_/]/g, " ")}`);
      return sought.every((word) => within.includes(word));
    })
    // The one whose name was typed whole comes first.
    .toSorted((a, b) => Number(isNamed(b.actionRef, sought)) - Number(isNamed(a.actionRef, sought)))
    .slice(0, SHOWN)
    .map(({ actionRef, title }) => {
      const [group = "", action = ""] = actionRef.split("/");
      return {
        id: actionRef,
        label: title,
        beside: actionRef,
        run: () => void navigate({ to: "/actions/$group/$action", params: { group, action } }),
      };
    });
  return { title: say("paletteRun"), entries };
}
