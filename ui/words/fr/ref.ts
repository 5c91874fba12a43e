import type { ref as english } from "../en/ref.ts";
import type { SameWords } from "../same-words.ts";

/** French words of fields for refs. */
export const ref: SameWords<typeof english> = {
  search: "Chercher par nom ou clé",
  asTyped: "Utiliser {{ref}}",
  loading: "Chargement",
  nothing: "Rien ne correspond",
  others_one: "{{count}} de plus ; saisir pour trouver",
  others_other: "{{count}} de plus ; saisir pour trouver",
};
