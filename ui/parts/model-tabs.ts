import type { model } from "../words/en/model.ts";

/** A screen of a model that its tabs lead to. */
export interface ModelTab {
  readonly to: string;
  /** The name of its word in the words of the model. */
  readonly word: keyof typeof model & `tab${string}`;
}

/** The screens of a model in the order of their tabs; a screen that has one adds its line. */
export const MODEL_TABS: readonly ModelTab[] = [
  { to: "/models/$modelRef", word: "tabOverview" },
  { to: "/models/$modelRef/diagram", word: "tabDiagram" },
  { to: "/models/$modelRef/tags", word: "tabTags" },
  { to: "/models/$modelRef/history", word: "tabHistory" },
];
