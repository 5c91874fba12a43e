import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { useWords } from "../../words/words.ts";

/** How many instances there may be on the side of a role. */
export type Cardinality = OutputOf<"model/relationship_get">["roles"][number]["cardinality"];

/** All cardinalities, the narrowest first. */
export const CARDINALITIES: readonly Cardinality[] = ["zeroOrOne", "one", "many", "unknown"];

const SIGNS: Readonly<Record<Cardinality, string>> = { zeroOrOne: "0..1", one: "1", many: "0..n", unknown: "?" };

/** A cardinality as a sign, with its word in the title and for screen readers. */
export function CardinalitySign({ cardinality }: { readonly cardinality: Cardinality }): ReactNode {
  const say = useWords("structure");
  return (
    <Text
      component="span"
      ff="monospace"
      fz="sm"
      c="dimmed"
      title={say(cardinality)}
      role="img"
      aria-label={say(cardinality)}
    >
      {SIGNS[cardinality]}
    </Text>
  );
}
