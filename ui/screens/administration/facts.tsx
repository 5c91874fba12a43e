import type { ReactNode } from "react";
import styles from "./administration.module.css";

interface FactsProps {
  /** Names and values; those without a value are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** What is known of one thing, name beside value. */
export function Facts({ facts }: FactsProps): ReactNode {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}
