import type { Cardinality } from "../../../shared/diagram/diagram-graph.ts";
import type { DiagramLine, DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import type { NodesById } from "../../../shared/diagram/line-routes.ts";
import type { Say } from "../../words/words.ts";

type SayDiagram = Say<"diagram">;

/** Formats a node for screen readers: kind, name, number of attributes, and status. */
export function formatNodeLabel(node: DiagramNode, say: SayDiagram): string {
  if (node.is === "diamond") {
    const { name, key, ends } = node.relationship;
    return say("spokenDiamond", { name: name || key, count: ends.length });
  }
  const { name, key, attributes, sign } = node.entity;
  const text = say("spokenEntity", { name: name || key, count: attributes.length });
  return sign ? `${text}, ${say(sign)}` : text;
}

/** Formats a line for screen readers: relationship, and the cardinality at each end. */
export function formatLineLabel({ relationship, from, to }: DiagramLine, nodes: NodesById, say: SayDiagram): string {
  const findEntityName = (id: string) => {
    const node = nodes.get(id);
    const { name, key } = node?.is === "entity" ? node.entity : relationship;
    return name || key;
  };
  const ends = [from, to].map(({ node, cardinality }) =>
    cardinality === undefined
      ? findEntityName(node)
      : `${findEntityName(node)} (${say(getCardinalityWord(cardinality))})`,
  );
  return say("spokenLine", { name: relationship.name || relationship.key, from: ends[0] ?? "", to: ends[1] ?? "" });
}

/** Returns the word for a cardinality. */
export function getCardinalityWord(cardinality: Cardinality) {
  const words = { one: "one", zeroOrOne: "zeroOrOne", many: "many", unknown: "unknown" } as const;
  return words[cardinality];
}
