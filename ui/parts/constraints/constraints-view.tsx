import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useConstraintWords } from "../../words/constraints.ts";
import facts from "../fields/facts.module.css";
import { fieldText, keywordsIn, type ShownConstraints, shapeOf } from "./constraint-text.ts";

interface ConstraintsViewProps {
  readonly value: ShownConstraints | undefined;
}

/** The constraints of an attribute to read, each with its value. */
export function ConstraintsView({ value = {} }: ConstraintsViewProps): ReactNode {
  const say = useConstraintWords();
  const names = keywordsIn(value);
  if (names.length === 0) return <Text c="dimmed">{say("none")}</Text>;
  return (
    <dl className={facts.facts}>
      {names.map((name) => (
        // A term and its value are one row of the grid.
        <div key={name} style={{ display: "contents" }}>
          <dt title={name}>{say(name)}</dt>
          <dd className={facts.value} lang="en" dir="auto">
            {shapeOf(name) === "flag" ? say(value[name] === true ? "yes" : "no") : fieldText(name, value[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}
