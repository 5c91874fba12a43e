import { useComputedColorScheme } from "@mantine/core";
import { type CSSProperties, useMemo } from "react";
import { DIAGRAM_COLOURS, type DiagramColours } from "../../../shared/diagram/diagram-colours.ts";

/** The colours of diagrams in the theme of now, also as the variables that their styles use. */
export function useDiagramColours(): { readonly colours: DiagramColours; readonly style: CSSProperties } {
  // Known before the first picture, which would flash in the other theme otherwise.
  const colours = DIAGRAM_COLOURS[useComputedColorScheme("light", { getInitialValueInEffect: false })];
  const style = useMemo(() => {
    const { signs, tags, ...rest } = colours;
    const named = [...Object.entries(rest), ...Object.entries(signs)].map(([name, value]) => [
      `--diagram-${name}`,
      value,
    ]);
    const ofTags = tags.flatMap(({ fill, ink }, at) => [
      [`--diagram-tag-${at}`, fill],
      [`--diagram-ink-${at}`, ink],
    ]);
    return Object.fromEntries([...named, ...ofTags]) as CSSProperties;
  }, [colours]);
  return { colours, style };
}

/** The colour of a tag as the variables that styles of diagrams use, by its place among those colours. */
export function getTagStyle(at: number): CSSProperties {
  return { "--tag-fill": `var(--diagram-tag-${at})`, "--tag-ink": `var(--diagram-ink-${at})` } as CSSProperties;
}
