import type { DiagramColours } from "../../../shared/diagram/diagram-colours.ts";
import type { DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import { formatSvg } from "../../../shared/diagram/diagram-svg.ts";
import { routeLine } from "../../../shared/diagram/line-routes.ts";
import type { Diagram } from "./use-diagram.ts";

/** Appearance of a diagram in a file. */
export interface FileLooks {
  readonly colours: DiagramColours;
  readonly findTag: (node: DiagramNode) => number | undefined;
  readonly formatMore: (count: number) => string;
}

/** Maximum side of a PNG in pixels; browsers cannot draw much larger images. */
const MAX_SIDE = 12_000;

/** Renders a diagram in its current arrangement as SVG text. */
export function renderSvg({ graph, nodes, byId, lines, rects, layout }: Diagram, looks: FileLooks): string {
  const { colours, findTag, formatMore } = looks;
  const tags = new Map(nodes.flatMap((node) => (node.is === "entity" ? [[node.entity, findTag(node)] as const] : [])));
  return formatSvg({
    title: graph.modelName || graph.modelKey,
    nodes: nodes.flatMap((node) => {
      const rect = rects.get(node.id);
      return rect ? [{ node, rect }] : [];
    }),
    lines: lines.flatMap((line) => {
      const curve = routeLine(line, byId, rects, layout);
      return curve ? [{ line, curve }] : [];
    }),
    colours,
    tagColour: (entity) => colours.tags[tags.get(entity) ?? -1],
    moreText: formatMore,
  });
}

/** Renders an SVG as PNG, at double size if that is within the maximum. */
export async function renderPng(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(2, MAX_SIDE / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(image.width * scale);
    canvas.height = Math.ceil(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The image is too large."))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
