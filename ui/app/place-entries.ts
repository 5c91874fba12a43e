import { useNavigate } from "@tanstack/react-router";
import { useMay } from "../api/rights.ts";
import { useFrameWords } from "../words/frame.ts";
import type { PaletteGroup } from "./palette-source.ts";
import { PLACES } from "./rail-places.ts";

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Finds the places of the rail by their names. */
export function usePlaceEntries(typed: string): PaletteGroup {
  const say = useFrameWords();
  const may = useMay();
  const navigate = useNavigate();
  const entries = PLACES.filter(({ needs }) => needs === undefined || may(needs))
    .map(({ to, word, keys }) => ({ id: to, label: say(word), beside: keys, run: () => void navigate({ to }) }))
    .filter(({ label }) => folded(label).includes(folded(typed)));
  return { title: say("places"), entries };
}
