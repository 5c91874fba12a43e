import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import type { DiagramAttribute, DiagramEntity } from "../../../shared/diagram/diagram-graph.ts";
import { type EntityBox, hasOwnName } from "../../../shared/diagram/diagram-nodes.ts";
import { useWords } from "../../words/words.ts";
import styles from "./diagram.module.css";
import { getTagStyle } from "./diagram-theme.ts";
import type { FlowNode } from "./flow-elements.ts";
import { useDetail, useHighlightedRows } from "./highlight.tsx";
import { KeyMark, SignMark } from "./marks.tsx";

/** Entity node whose detail depends on the zoom. */
export const EntityNode = memo(function EntityNode({ data, selected }: NodeProps<FlowNode>): ReactNode {
  const detail = useDetail();
  const { node, tag, isFaded } = data;
  if (node.is !== "entity") return null;
  const { entity, box } = node;
  return (
    <div
      className={styles.entity}
      data-detail={detail}
      data-faded={isFaded || undefined}
      data-sign={entity.sign}
      data-selected={selected || undefined}
      style={tag === undefined ? undefined : getTagStyle(tag)}
    >
      <Ends />
      {detail === "full" && !isFaded && <FullEntity entity={entity} box={box} />}
      {detail === "full" && isFaded && <FadedName entity={entity} />}
      {detail === "names" && <EntityName entity={entity} />}
    </div>
  );
}, isSameNode);

/** Returns true if a node looks the same; its position is handled by React Flow. */
export function isSameNode(a: NodeProps<FlowNode>, b: NodeProps<FlowNode>): boolean {
  return a.data === b.data && a.selected === b.selected;
}

/** Connection points that React Flow requires; the lines themselves end at the rows. */
export function Ends(): ReactNode {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.end} />
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.end} />
    </>
  );
}

interface OfEntity {
  readonly entity: DiagramEntity;
}

function EntityName({ entity }: OfEntity) {
  return (
    <div className={styles.onlyName} lang="en" dir="auto">
      {entity.sign && <SignMark sign={entity.sign} />}
      <span>{makeBreakable(entity.name || entity.key)}</span>
    </div>
  );
}

function FadedName({ entity }: OfEntity) {
  return (
    <div className={styles.fadedName} lang="en" dir="auto">
      {entity.name || entity.key}
    </div>
  );
}

/** Allows line breaks after punctuation in a name; a name without punctuation breaks anywhere. */
function makeBreakable(name: string) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
  return name.split(/(?<=[_./:-])/).map((piece, at) => [at > 0 && <wbr key={at} />, piece]);
}

function FullEntity({ entity, box }: OfEntity & { readonly box: EntityBox }) {
  const say = useWords("diagram");
  const rowKeys = useHighlightedRows(entity.id);
  return (
    <>
      <div className={styles.header} style={{ height: box.headerHeight }} lang="en">
        <div className={styles.title} dir="auto" title={entity.name || entity.key}>
          {entity.name || entity.key}
        </div>
        {hasOwnName(entity) && (
          <div className={styles.key} title={entity.key}>
            {entity.key}
          </div>
        )}
        {entity.sign && <SignMark sign={entity.sign} />}
      </div>
      {box.rows.map((row) => (
        <AttributeRow key={row.key} row={row} isHighlighted={rowKeys.includes(`${row.key}\n`)} />
      ))}
      {box.excess > 0 && <div className={styles.more}>{say("more", { count: box.excess })}</div>}
    </>
  );
}

interface AttributeRowProps {
  readonly row: DiagramAttribute;
  readonly isHighlighted: boolean;
}

function AttributeRow({ row, isHighlighted }: AttributeRowProps) {
  const isNamed = hasOwnName(row);
  return (
    <div className={styles.row} data-sign={row.sign} data-highlighted={isHighlighted || undefined} lang="en">
      <span className={styles.mark}>{row.sign ? <SignMark sign={row.sign} /> : row.inKey && <KeyMark />}</span>
      <span
        className={isNamed ? styles.rowName : styles.rowKey}
        dir="auto"
        title={row.name ? `${row.name} (${row.key})` : row.key}
      >
        {isNamed ? row.name : row.key}
      </span>
      <span className={styles.type} title={row.type}>
        {row.type}
      </span>
    </div>
  );
}
