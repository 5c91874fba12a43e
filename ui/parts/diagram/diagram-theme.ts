import { useComputedColorScheme } from "@mantine/core";
import { type CSSProperties, useMemo } from "react";
import { DIAGRAM_COLOURS, type DiagramColours } from "../../../shared/diagram/diagram-colours.ts";

/** Returns the diagram colours of the current theme, also as CSS variables. */
export function useDiagramColours(): { readonly colours: DiagramColours; readonly style: CSSProperties } {
  // Known before the first paint, which avoids a flash in the other theme.
  const colours = DIAGRAM_COLOURS[useComputedColorScheme("light", { getInitialValueInEffect: false })];
  const style = useMemo(() => {
    const { signs, tags, ...rest } = colours;
    const entries = [...Object.entries(rest), ...Object.entries(signs)].map(([name, value]) => [
      `--diagram-${name}`,
      value,
    ]);
    const ofTags = tags.flatMap(({ fill, ink }, at) => [
      [`--diagram-tag-${at}`, fill],
      [`--diagram-ink-${at}`, ink],
    ]);
    return Object.fromEntries([...entries, ...ofTags]) as CSSProperties;
  }, [colours]);
  return { colours, style };
}

/** Returns the colour of a tag as CSS variables, by its index among the tag colours. */
export function getTagStyle(at: number): CSSProperties {
  return { "--tag-fill": `var(--diagram-tag-${at})`, "--tag-ink": `var(--diagram-ink-${at})` } as CSSProperties;
}
