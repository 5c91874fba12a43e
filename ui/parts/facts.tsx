import type { ReactNode } from "react";

interface FactsProps {
  readonly facts: Readonly<Record<string, ReactNode>>;
  readonly className?: string | undefined;
}

/** Facts about an object as names and values, without the unknown ones. */
export function Facts({ facts, className = "facts" }: FactsProps): ReactNode {
  const rows = Object.entries(facts).filter(([, value]) => value || value === 0);
  if (rows.length === 0) return null;
  return (
    <dl className={className}>
      {rows.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}
