import type { tags as english } from "../en/tags.ts";
import type { SameWords } from "../same-words.ts";

/** French words of the screens of tags. */
export const tags: SameWords<typeof english> = {
  title: "Étiquettes",
  globalTags: "Étiquettes globales",
  localTags: "Étiquettes de ce modèle",
  groups: "Groupes d’étiquettes",
  group: "Groupe",
  tag: "Étiquette",
  name: "Nom",
  key: "Clé",
  description: "Description",
  uses: "Utilisée",
  usedBy: "Où elle est utilisée",
  usedMore: "Plus de {{count}} endroits ; la recherche les trouve tous.",
  noUses: "Ne marque rien.",
  nameText: "le nom",
  keyText: "la clé",
  descriptionText: "la description",
  addTag: "Ajouter une étiquette",
  addGroup: "Ajouter un groupe",
  noTags: "Aucune étiquette pour l’instant",
  noLocalTagsText:
    "Une étiquette d’un modèle marque ce qu’il contient, par exemple ce qui est un brouillon ou ce qui porte des données personnelles.",
  noGlobalTags: "Aucune étiquette globale pour l’instant",
  noGlobalTagsText:
    "Les étiquettes globales sont dans des groupes et servent à tous les modèles, par exemple privacy/personal.",
  noGroups: "Aucun groupe pour l’instant",
  noGroupsText:
    "Un groupe réunit des étiquettes globales qui vont ensemble, par exemple les niveaux de confidentialité.",
  usedHere: "Étiquettes globales utilisées dans ce modèle",
  noneUsedHere: "Aucune étiquette globale ne marque quoi que ce soit dans ce modèle.",
  allGlobal: "Toutes les étiquettes globales",
  theTag: "l’étiquette {{key}}",
  theGroup: "le groupe d’étiquettes {{key}}",
  delete: "Supprimer",
  deletedEverywhere: "Elle est retirée de tout ce qu’elle marque, dans tous les modèles.",
  deletedHere: "Elle est retirée de tout ce qu’elle marque dans ce modèle.",
  tagsOfGroup: "Étiquettes",
};
