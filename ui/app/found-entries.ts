import { useDebouncedValue } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useRead } from "../api/reads.ts";
import { useSession } from "../api/session.ts";
import { aboveOf, keyOf, labelOf, placeOfFound } from "../parts/search/found.ts";
import { useKindWord } from "../words/changes.ts";
import { useSearchWords } from "../words/search.ts";
import type { PaletteEntry, PaletteGroup } from "./palette-source.ts";

/** Objects that the palette shows. */
const SHOWN = 8;
/** Milliseconds without typing after which is searched. */
const PAUSE = 150;

/** Finds objects in all models by what is typed, and leads to each; the last entry searches for all of them. */
export function useFoundEntries(typed: string): PaletteGroup {
  const say = useSearchWords();
  const kindWord = useKindWord();
  const navigate = useNavigate();
  const session = useSession();
  const [text] = useDebouncedValue(typed, PAUSE);
  const isAsked = typed !== "" && text !== "" && session !== undefined;
  const read = useRead(
    "model/search",
    isAsked
      ? { filters: { operator: "and", items: [{ type: "text", condition: "contains", value: text }] }, limit: SHOWN }
      : undefined,
    { keep: true },
  );
  const found = isAsked ? (read.data?.body.items ?? []) : [];
  const entries = found.map((one): PaletteEntry => {
    const place = placeOfFound(one);
    const [label, key] = [labelOf(one), keyOf(one)];
    return {
      id: `found ${one.location.modelId} ${one.id}`,
      label: label === key ? key : `${label} (${key})`,
      beside: [kindWord(one.location.objectType), ...aboveOf(one)].join(" · "),
      // The router's types know its addresses one by one; a place is one of them.
      run: () => void navigate({ ...place, params: place.params as never }),
    };
  });
  const all: PaletteEntry = {
    id: "found all",
    label: say("paletteAll", { text: typed }),
    run: () => void navigate({ to: "/search", search: { q: typed } }),
  };
  return { title: say("paletteFound"), entries: typed === "" ? [] : [...entries, all] };
}
