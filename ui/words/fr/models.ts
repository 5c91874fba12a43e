import type { models as english } from "../en/models.ts";
import type { SameWords } from "../language.ts";

/** French words of the list of models. */
export const models: SameWords<typeof english> = {
  title: "Modèles",
  search: "Chercher par nom ou clé",
  none: "Rien ne correspond à « {{text}} »",
  name: "Nom",
  version: "Version",
  authority: "Autorité",
  system: "Système",
  canonical: "Canonique",
  emptyTitle: "Aucun modèle pour l’instant",
  emptyText: "Un modèle décrit un ensemble de données : ses entités, leurs attributs, ses types et ses relations.",
};
