import type { warnings as english } from "../en/warnings.ts";
import type { SameWords } from "../same-words.ts";

/** French words of the warnings of imports and exports, by their codes. */
export const warnings: SameWords<typeof english> = {
  not_carried_over: "Non repris",
  kept_as_property: "Gardé comme propriétés",
  likely_typo: "Sans doute mal orthographié",
  key_made: "Noms devenus d’autres clés",
  text_changed: "Textes adaptés",
  assumed: "Supposé, faute d’indication dans la source",
  tag_kept: "Étiquettes déjà présentes avec d’autres textes",
  not_written: "Non écrit",
  written_otherwise: "Écrit sous une autre forme",
};
