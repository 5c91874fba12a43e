import { useWords } from "../../words/words.ts";
import "@xyflow/react/dist/base.css";
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMaximize, IconMinus, IconPlus } from "@tabler/icons-react";
import {
  type EdgeChange,
  type FitViewOptions,
  type NodeChange,
  type NodeProps,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
} from "@xyflow/react";
import { type FocusEvent, memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type ComparedEntry, mergeComparison, type Side } from "../../../shared/diagram/compared-model.ts";
import type { DiagramGraph, Sign } from "../../../shared/diagram/diagram-graph.ts";
import { BOX, type DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import { findBounds, type Point } from "../../../shared/diagram/geometry.ts";
import { createGraph, type DiagramDocument } from "../../../shared/diagram/graph-of-model.ts";
import { EmptyState } from "../empty-state.tsx";
import styles from "./diagram.module.css";
import { DiagramSkeleton } from "./diagram-skeleton.tsx";
import { useDiagramColours } from "./diagram-theme.ts";
import { Ends, EntityNode, isSameNode } from "./entity-node.tsx";
import { createFlowEdges, createFlowNodes, type FlowEdge, type FlowNode, reuseElements } from "./flow-elements.ts";
import { BOXES_BELOW, createHighlight, DetailByZoom, HighlightContext, useDetail } from "./highlight.tsx";
import { LineEdge } from "./line-edge.tsx";
import { SignMark } from "./marks.tsx";
import { formatLineLabel, formatNodeLabel } from "./spoken-labels.ts";
import { type Diagram, useDiagram } from "./use-diagram.ts";

const HALF = BOX.diamond / 2;

const DiamondNode = memo(function DiamondNode({ data, selected }: NodeProps<FlowNode>): ReactNode {
  const detail = useDetail();
  const { node, isFaded } = data;
  if (node.is !== "diamond") return null;
  const { relationship } = node;
  return (
    <div className={styles.diamond} data-sign={relationship.sign} data-selected={selected || undefined}>
      <Ends />
      <svg width={BOX.diamond} height={BOX.diamond} aria-hidden="true">
        <polygon points={`${HALF},1 ${BOX.diamond - 1},${HALF} ${HALF},${BOX.diamond - 1} 1,${HALF}`} />
      </svg>
      {detail === "full" && !isFaded && (
        <div className={styles.below} lang="en" dir="auto">
          {relationship.sign && <SignMark sign={relationship.sign} />}
          {relationship.name || relationship.key}
        </div>
      )}
    </div>
  );
}, isSameNode);

const NODE_TYPES = { entity: EntityNode, diamond: DiamondNode };
const EDGE_TYPES = { line: LineEdge };
const FIT = { padding: 0.08, maxZoom: 1 };
/** Milliseconds of an animation; without animations if the person prefers reduced motion. */
const MOVE = 140;

/** The selected entity or relationship. */
export interface Choice {
  readonly is: "entity" | "relationship";
  readonly id: string;
}

interface DiagramCanvasProps {
  readonly diagram: Diagram;
  readonly choice: Choice | undefined;
  readonly choose: (choice: Choice | undefined) => void;
  /** Nodes that are not faded; undefined for all. */
  readonly subset?: ReadonlySet<string> | undefined;
  readonly findTag: (node: DiagramNode) => number | undefined;
  readonly legend?: ReactNode;
}

/** Interactive diagram: zoom, pan, move boxes, select one. It fills its container. */
export function DiagramCanvas(props: DiagramCanvasProps): ReactNode {
  return (
    <ReactFlowProvider>
      <DetailByZoom>
        <Canvas {...props} />
      </DetailByZoom>
    </ReactFlowProvider>
  );
}

function Canvas({ diagram, choice, choose, subset, findTag, legend }: DiagramCanvasProps) {
  const say = useWords("diagram");
  const { style } = useDiagramColours();
  const [highlight] = useState(createHighlight);
  const { nodes, byId, lines, rects, layout, move } = diagram;
  const elements = useRef<{ nodes: FlowNode[]; edges: FlowEdge[] }>({ nodes: [], edges: [] });
  const looks = useMemo(
    () => ({
      subset,
      choiceId: choice?.id,
      findTag,
      getLabel: (node: DiagramNode) => formatNodeLabel(node, say),
    }),
    [subset, choice?.id, findTag, say],
  );
  const flow = useMemo(() => {
    const edges = createFlowEdges(lines, byId, rects, layout, looks, (line) => formatLineLabel(line, byId, say));
    elements.current = {
      nodes: reuseElements(elements.current.nodes, createFlowNodes(nodes, rects, looks)),
      edges: reuseElements(elements.current.edges, edges),
    };
    return elements.current;
  }, [nodes, byId, lines, rects, layout, looks, say]);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const moves = changes.flatMap((change) =>
        change.type === "position" && change.position ? [[change.id, change.position] as const] : [],
      );
      const isDone = changes.some((change) => change.type === "position" && change.dragging !== true);
      if (moves.length > 0 || isDone) move(new Map<string, Point>(moves), isDone);
      const chosenNode = changes.find((change) => change.type === "select" && change.selected);
      const node = chosenNode && "id" in chosenNode ? byId.get(chosenNode.id) : undefined;
      if (node?.is === "entity") choose({ is: "entity", id: node.id });
      if (node?.is === "diamond") choose({ is: "relationship", id: node.relationship.id });
    },
    [move, choose, byId],
  );
  const onEdgesChange = useCallback(
    (changes: EdgeChange<FlowEdge>[]) => {
      const change = changes.find((one) => one.type === "select" && one.selected);
      const line = change && "id" in change ? lines.find(({ id }) => id === change.id) : undefined;
      if (line) choose({ is: "relationship", id: line.relationship.id });
    },
    [choose, lines],
  );
  const pointAt = useCallback((_: unknown, edge: FlowEdge) => highlight.set(edge.data?.line.relationship), [highlight]);
  const pointAway = useCallback(() => highlight.set(undefined), [highlight]);
  const onFocus = useCallback(
    ({ target }: FocusEvent) => {
      const id = target.closest(".react-flow__edge")?.getAttribute("data-id");
      highlight.set(lines.find((line) => line.id === id)?.relationship);
    },
    [highlight, lines],
  );
  const unchoose = useCallback(() => choose(undefined), [choose]);
  const [sight] = useState(() => getFirstViewport({ diagram, choice, subset }));
  const isFitted = useFirstFit();
  const isTouch = useMemo(() => matchMedia("(pointer: coarse)").matches, []);

  return (
    <HighlightContext value={highlight}>
      <section
        className={styles.canvas}
        style={style}
        aria-label={say("diagram")}
        data-unfitted={!isFitted || undefined}
        onFocus={onFocus}
        onBlur={pointAway}
      >
        <ReactFlow
          nodes={flow.nodes}
          edges={flow.edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onEdgeMouseEnter={pointAt}
          onEdgeMouseLeave={pointAway}
          onPaneClick={unchoose}
          onlyRenderVisibleElements
          nodesConnectable={false}
          nodesDraggable={!isTouch}
          edgesReconnectable={false}
          deleteKeyCode={null}
          multiSelectionKeyCode={null}
          selectionKeyCode={null}
          minZoom={0.03}
          maxZoom={2}
          fitView
          fitViewOptions={sight}
          zoomOnDoubleClick={false}
          ariaLabelConfig={{
            "node.a11yDescription.default": say("nodeKeys"),
            "node.a11yDescription.keyboardDisabled": say("nodeKeys"),
            "node.a11yDescription.ariaLiveMessage": ({ x, y }) =>
              say("movedTo", { x: Math.round(x), y: Math.round(y) }),
            "edge.a11yDescription.default": say("lineKeys"),
          }}
        >
          <Camera diagram={diagram} choice={choice} subset={subset} />
          <Panel position="bottom-right">
            <CanvasControls fit={FIT} />
          </Panel>
          {legend && <Panel position="bottom-left">{legend}</Panel>}
        </ReactFlow>
      </section>
    </HighlightContext>
  );
}

function useFirstFit() {
  const [wasFitted, setFitted] = useState(false);
  const isFitted = useStore(({ panZoom, fitViewQueued }) => panZoom !== null && !fitViewQueued);
  if (isFitted && !wasFitted) setFitted(true);
  return wasFitted || isFitted;
}

function getFirstViewport({ diagram, choice, subset }: Pick<DiagramCanvasProps, "diagram" | "choice" | "subset">) {
  const ids = choice ? listChosenNodes(diagram, choice) : [...(subset ?? [])];
  if (ids.length === 0) return FIT;
  return { ...FIT, nodes: ids.map((id) => ({ id })), ...(choice && { maxZoom: 0.9, padding: 0.3 }) };
}

function listChosenNodes({ graph }: Diagram, { is: kind, id }: Choice): readonly string[] {
  if (kind === "entity") return [id];
  return graph.relationships.find((one) => one.id === id)?.ends.map((end) => end.entity) ?? [];
}

function Camera({ diagram, choice, subset }: Pick<DiagramCanvasProps, "diagram" | "choice" | "subset">) {
  const { fitBounds, setCenter, getZoom } = useReactFlow();
  const store = useStoreApi();
  const now = useRef(diagram);
  now.current = diagram;
  const lastProps = useRef({ choice, subset });
  useEffect(() => {
    if (choice?.id === lastProps.current.choice?.id) return;
    lastProps.current.choice = choice;
    const rects = choice ? listChosenNodes(now.current, choice).flatMap((id) => now.current.rects.get(id) ?? []) : [];
    if (rects.length === 0) return;
    const { transform, width, height } = store.getState();
    const [left, top, zoom] = transform;
    const bounds = findBounds(rects);
    const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
    const [onX, onY] = [x * zoom + left, y * zoom + top];
    const isInSight = onX > 0 && onY > 0 && onX < width && onY < height && zoom >= BOXES_BELOW;
    if (!isInSight) void setCenter(x, y, { zoom: Math.max(0.9, getZoom()), duration: MOVE });
  }, [choice, setCenter, getZoom, store]);
  useEffect(() => {
    if (subset === lastProps.current.subset) return;
    lastProps.current.subset = subset;
    const rects = [...(subset ?? [])].flatMap((id) => now.current.rects.get(id) ?? []);
    if (rects.length > 0) void fitBounds(findBounds(rects), { padding: 0.15, duration: MOVE });
  }, [subset, fitBounds]);
  return null;
}

function CanvasControls({ fit }: { readonly fit: FitViewOptions }) {
  const say = useWords("diagram");
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const buttons = [
    { label: say("zoomIn"), icon: IconPlus, run: () => zoomIn({ duration: 100 }) },
    { label: say("zoomOut"), icon: IconMinus, run: () => zoomOut({ duration: 100 }) },
    { label: say("showAll"), icon: IconMaximize, run: () => fitView({ ...fit, duration: 140 }) },
  ];
  return (
    <div className={styles.controls}>
      {buttons.map(({ label, icon: Icon, run }) => (
        <Tooltip key={label} label={label} position="left">
          <ActionIcon variant="default" size={34} aria-label={label} onClick={() => void run()}>
            <Icon size={16} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}

interface ComparedDiagramProps {
  /** Document of one side; objects that only the other side has come from the entries. */
  readonly base: DiagramDocument;
  readonly side: Side;
  readonly entries: readonly ComparedEntry[];
}

const ignore = (): undefined => undefined;

/** Both sides of a comparison in one diagram, with a sign and a colour per status. */
export function ComparedDiagram({ base, side, entries }: ComparedDiagramProps): ReactNode {
  const say = useWords("diagram");
  const graph = useMemo(() => {
    const { document, signs } = mergeComparison(base, entries, side);
    return createGraph(document, signs);
  }, [base, entries, side]);
  const { diagram, reason } = useDiagram(graph);
  if (graph.entities.length === 0) return <EmptyState title={say("noEntities")} text={say("emptyText")} />;
  if (reason !== undefined) return <EmptyState title={say("failed")} text={reason} />;
  if (!diagram) return <DiagramSkeleton />;
  return (
    <DiagramCanvas
      diagram={diagram}
      choice={undefined}
      choose={ignore}
      findTag={ignore}
      legend={<SignLegend graph={graph} />}
    />
  );
}

const SIGNS: readonly Sign[] = ["added", "removed", "changed"];

function SignLegend({ graph }: { readonly graph: DiagramGraph }) {
  const say = useWords("diagram");
  const all = [...graph.entities, ...graph.relationships];
  return (
    <div className={styles.legend}>
      <ul className={styles.legendList} aria-label={say("signs")}>
        {SIGNS.map((sign) => (
          <li key={sign} className={styles.signItem}>
            <SignMark sign={sign} isSilent />
            {say(sign)} {all.filter((one) => one.sign === sign).length}
          </li>
        ))}
      </ul>
    </div>
  );
}
