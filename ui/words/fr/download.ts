import type { download as english } from "../en/download.ts";
import type { SameWords } from "../same-words.ts";

/** French words of the dialog that downloads. */
export const download: SameWords<typeof english> = {
  model: "Télécharger le modèle",
  difference: "Télécharger la différence",
  close: "Fermer",
  cancel: "Annuler",
  format: "Format",
  document: "le modèle entier dans la forme propre au service, que l’importation redonne",
  state: "État",
  now: "État le plus récent",
  download: "Télécharger",
  downloaded: "{{name}} est téléchargé",
  characters: "{{count}} caractères",
  noWarnings: "Le fichier contient tout ; aucun avertissement.",
  another: "Autre format",
};
