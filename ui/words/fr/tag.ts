import type { tag as english } from "../en/tag.ts";
import type { SameWords } from "../same-words.ts";

/** French words of tags on objects. */
export const tag: SameWords<typeof english> = {
  add: "Ajouter une étiquette",
  remove: "Retirer l’étiquette {{tag}}",
  search: "Chercher une étiquette",
  create: "Créer l’étiquette locale « {{tag}} »",
  nothing: "Aucune autre étiquette ne correspond",
  none: "Aucune étiquette",
};
