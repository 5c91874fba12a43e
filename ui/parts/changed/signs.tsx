import type { ReactNode } from "react";
import type { Impact } from "../../../shared/domain/differences.ts";
import { useWords } from "../../words/words.ts";
import styles from "./changed.module.css";

/** A class without a colour has the colour of the text. */
const IMPACT_SIGNS: Readonly<Record<Impact, string>> = {
  breaking: "!",
  behavioural: "≈",
  additive: "+",
  operational: "⚙",
  cosmetic: "○",
};

/** Sign of an impact without its word, for use next to a text. */
export function ImpactSign({ impact }: { readonly impact: Impact }): ReactNode {
  return (
    <span className={styles.impactSign} style={{ color: `var(--sign-${impact})` }} aria-hidden>
      {IMPACT_SIGNS[impact]}
    </span>
  );
}

/** Impact as sign, word and colour. */
export function ImpactMark({ impact }: { readonly impact: Impact }): ReactNode {
  const say = useWords("changes");
  return (
    <span className={styles.impact} style={{ color: `var(--sign-${impact})` }}>
      <ImpactSign impact={impact} />
      {say(impact)}
    </span>
  );
}

const STATUSES = {
  added: { sign: "+", look: "added" },
  deleted: { sign: "−", look: "deleted" },
  modified: { sign: "~", look: "modified" },
  renamed: { sign: "→", look: "renamed" },
} as const;

const OTHER_NAMES: Readonly<Record<string, keyof typeof STATUSES>> = {
  create: "added",
  delete: "deleted",
  update: "modified",
};

/** Returns a function for the word of a status of a comparison or a history entry. */
export function useStatusWord(): (status: string) => string {
  const say = useWords("changes");
  return (status) => {
    const knownStatus = toKnownStatus(status);
    return knownStatus ? say(knownStatus) : status;
  };
}

function toKnownStatus(status: string): keyof typeof STATUSES | undefined {
  const name = status.toLowerCase();
  if (name in STATUSES) return name as keyof typeof STATUSES;
  return OTHER_NAMES[name];
}

/** Sign for added, deleted, changed or renamed, with its word in the title. */
export function StatusSign({ status }: { readonly status: string }): ReactNode {
  const word = useStatusWord();
  const knownStatus = toKnownStatus(status);
  const { sign, look } = knownStatus ? STATUSES[knownStatus] : { sign: "·", look: "modified" };
  return (
    <span className={styles.status} data-look={look} role="img" aria-label={word(status)} title={word(status)}>
      {sign}
    </span>
  );
}
