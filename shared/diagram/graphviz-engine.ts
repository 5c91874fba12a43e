import { Graphviz } from "@hpcc-js/wasm-graphviz";
import type { LayoutDot } from "./diagram-layout.ts";

/** Loads the layout engine, 800 kB with its WebAssembly; needs no document and runs in any thread. */
export async function loadDot(): Promise<LayoutDot> {
  const graphviz = await Graphviz.load();
  return (text) => graphviz.layout(text, "json", "dot", { yInvert: true });
}
