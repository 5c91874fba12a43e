import type { deleting as english } from "../en/delete.ts";
import type { SameWords } from "../same-words.ts";

/** French words of deleting. */
export const deleting: SameWords<typeof english> = {
  title: "Supprimer {{what}}",
  alone: "Rien d’autre ne disparaît avec {{what}}.",
  together_one: "{{count}} autre chose disparaît avec :",
  together_other: "{{count}} autres choses disparaissent avec :",
  others_one: "et {{count}} de plus",
  others_other: "et {{count}} de plus",
  remains: "reste, sans cela",
  confirm: "Supprimer {{what}}",
  confirmAttributes_one: "Supprimer {{what}} et {{count}} attribut",
  confirmAttributes_other: "Supprimer {{what}} et {{count}} attributs",
  confirmWith_one: "Supprimer {{what}} et {{count}} de plus",
  confirmWith_other: "Supprimer {{what}} et {{count}} de plus",
  keep: "Garder",
  close: "Fermer",
};
