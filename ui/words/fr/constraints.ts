import type { constraints as english } from "../en/constraints.ts";
import type { SameWords } from "../same-words.ts";

/** French words of the constraints of attributes. */
export const constraints: SameWords<typeof english> = {
  enum: "Valeurs permises",
  const: "Seule valeur",
  minimum: "Plus petit nombre",
  maximum: "Plus grand nombre",
  exclusiveMinimum: "Plus grand que",
  exclusiveMaximum: "Plus petit que",
  multipleOf: "Multiple de",
  minLength: "Caractères au moins",
  maxLength: "Caractères au plus",
  pattern: "Motif",
  format: "Format",
  minItems: "Éléments au moins",
  maxItems: "Éléments au plus",
  uniqueItems: "Éléments tous différents",
  default: "Valeur par défaut",
  examples: "Exemples",
  contentEncoding: "Encodage",
  contentMediaType: "Type de média",
  unique: "Unique dans l’entité",
  unit: "Unité",
  title: "Contraintes",
  none: "Aucune contrainte",
  edit: "Modifier les contraintes",
  add: "Ajouter une contrainte",
  remove: "Retirer {{constraint}}",
  nothingFits: "Rien ne correspond",
  lines:
    "Une valeur par ligne. Les nombres, true, false, null et les textes entre guillemets droits sont lus comme du JSON.",
  value:
    "Un texte tel quel ; les nombres, true, false, null et les textes entre guillemets droits sont lus comme du JSON.",
  yes: "oui",
  no: "non",
  save: "Enregistrer les contraintes",
  cancel: "Annuler",
};
