import { Graphviz } from "@hpcc-js/wasm-graphviz";
import type { LayoutDot } from "./diagram-layout.ts";

/** Loads the layout engine: 800 kB with its WebAssembly. It runs in any thread and needs no DOM. */
export async function loadDot(): Promise<LayoutDot> {
  const graphviz = await Graphviz.load();
  return (text) => graphviz.layout(text, "json", "dot", { yInvert: true });
}
