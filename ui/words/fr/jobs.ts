import type { jobs as english } from "../en/jobs.ts";
import type { SameWords } from "../same-words.ts";

/** French words of the jobs. */
export const jobs: SameWords<typeof english> = {
  title: "Tâches",
  text: "Les écritures trop grandes pour un seul appel se poursuivent ici.",
  empty: "Aucune tâche",
  emptyText:
    "Un import, une copie ou une restauration trop grande pour un seul appel devient une tâche, que l’on suit ici.",
  job: "Tâche",
  action: "Action",
  who: "Qui",
  state: "État",
  progress: "Avancement",
  began: "Acceptée",
  ended: "Terminée",
  details: "Détails",
  accepted: "En attente",
  running: "En cours",
  done: "Faite",
  failed: "Échouée",
  cancelled: "Annulée",
  written: "{{done}} objets écrits sur {{total}}",
  cancel: "Annuler la tâche",
  cancelText: "Rien n’en devient visible.",
  result: "Résultat",
  problem: "Pourquoi elle a échoué",
};
