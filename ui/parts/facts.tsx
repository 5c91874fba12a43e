import type { ReactNode } from "react";

interface FactsProps {
  readonly facts: Readonly<Record<string, ReactNode>>;
  readonly className?: string | undefined;
}

/** Facts about an object as names and values, without the unknown ones. */
export function Facts({ facts, className = "facts" }: FactsProps): ReactNode {
  const known = Object.entries(facts).filter(([, value]) => value || value === 0);
  if (known.length === 0) return null;
  return (
    <dl className={className}>
      {known.map(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}
