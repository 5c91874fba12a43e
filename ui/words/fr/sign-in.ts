import type { signIn as english } from "../en/sign-in.ts";
import type { SameWords } from "../same-words.ts";

/** French words of signing in and of the first run. */
export const signIn: SameWords<typeof english> = {
  title: "Se connecter à Metaction",
  callback: "Connexion en cours",
  refused: "Le fournisseur n’a pas accepté la connexion",
  firstHint: "Cette instance est neuve et n’a pas d’administrateur.",
  firstLink: "En créer un",
  firstTitle: "Créer le premier administrateur",
  firstText: "Cette instance est neuve. Le compte créé ici peut tout faire ; il peut donner des droits aux autres.",
  firstNoSecret: "Le service l’a affiché à son démarrage, et l’a dans ses réglages",
  secret: "Secret d’amorçage",
  fullname: "Nom complet",
  fullnameText: "Montré aux autres à côté des modifications",
  usernameText: "Le nom pour se connecter",
  passwordText: "Au moins 14 caractères de trois sortes : minuscules, majuscules, chiffres, autres",
  create: "Créer l’administrateur",
};
