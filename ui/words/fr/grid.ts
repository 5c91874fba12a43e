import type { grid as english } from "../en/grid.ts";
import type { SameWords } from "../same-words.ts";

/** French words of the grid. */
export const grid: SameWords<typeof english> = {
  search: "Chercher dans toutes les colonnes",
  filters: "Filtrer par colonne",
  filterOf: "Filtrer {{column}}",
  columns: "Colonnes",
  export: "Exporter en CSV",
  paste: "Coller des lignes",
  pasteHere: "Lignes d’un tableur",
  pasteText:
    "Une ligne par rangée, des tabulations entre les cellules : {{columns}}. Une première ligne avec ces titres peut choisir un autre ordre.",
  pasteApply_one: "Appliquer {{count}} ligne",
  pasteApply_other: "Appliquer {{count}} lignes",
  pasteWrong_one: "{{count}} ligne ne peut pas être appliquée et est laissée de côté",
  pasteWrong_other: "{{count}} lignes ne peuvent pas être appliquées et sont laissées de côté",
  create: "nouvelle",
  update: "modifiée",
  same: "inchangée",
  wrong: "non valide",
  change: "Modification",
  back: "Retour",
  preview: "Aperçu",
  cancel: "Annuler",
  close: "Fermer",
  rows_one: "{{count}} ligne",
  rows_other: "{{count}} lignes",
  rowsOf: "{{shown}} lignes sur {{all}}",
  chosen_one: "{{count}} sélectionnée",
  chosen_other: "{{count}} sélectionnées",
  choose: "Sélectionner {{row}}",
  chooseAll: "Sélectionner toutes les lignes affichées",
  clear: "Effacer la sélection",
  none: "Aucune ligne ne correspond au filtre",
  clearFilter: "Effacer le filtre",
};
