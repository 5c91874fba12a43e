import type { signIn as english } from "../en/sign-in.ts";
import type { SameWords } from "../language.ts";

/** French words of signing in and of the first run. */
export const signIn: SameWords<typeof english> = {
  title: "Se connecter à Metaction",
  keep: "Rester connecté jusqu’à la fermeture de cet onglet",
  or: "ou",
  with: "Se connecter avec {{provider}}",
  callback: "Connexion en cours",
  back: "Retour à la connexion",
  refused: "Le fournisseur n’a pas accepté la connexion",
  firstTitle: "Créer le premier administrateur",
  firstText: "Cette instance est neuve. Le compte créé ici peut tout faire ; il peut donner des droits aux autres.",
  firstUsed: "Cette instance a déjà son administrateur.",
  firstNoSecret: "Le lien ne contient pas de secret. Utiliser le lien que le service a affiché à son démarrage.",
  fullname: "Nom complet",
  fullnameText: "Montré aux autres à côté des modifications",
  usernameText: "Le nom pour se connecter",
  passwordText: "Au moins 14 caractères de trois sortes : minuscules, majuscules, chiffres, autres",
  create: "Créer l’administrateur",
};
