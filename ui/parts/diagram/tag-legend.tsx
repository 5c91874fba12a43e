import type { ReactNode } from "react";
import { findTagColourIndex } from "../../../shared/diagram/diagram-colours.ts";
import type { DiagramTag } from "../../../shared/diagram/diagram-graph.ts";
import { useWords } from "../../words/words.ts";
import styles from "./diagram.module.css";
import { getTagStyle } from "./diagram-theme.ts";

interface TagLegendProps {
  readonly tags: readonly DiagramTag[];
  readonly choices: readonly string[];
  readonly choose: (refs: readonly string[]) => void;
}

/** Legend of tag colours; clicking one filters the entities. */
export function TagLegend({ tags, choices, choose }: TagLegendProps): ReactNode {
  const say = useWords("diagram");
  return (
    <div className={styles.legend}>
      <ul className={styles.legendList} aria-label={say("legend")}>
        {tags.map(({ ref, key, name }) => {
          const isChosen = choices.includes(ref);
          return (
            <li key={ref}>
              <button
                type="button"
                className={styles.chip}
                aria-pressed={isChosen}
                style={getTagStyle(findTagColourIndex(key))}
                title={key}
                onClick={() => choose(isChosen ? choices.filter((one) => one !== ref) : [...choices, ref])}
              >
                <span className={styles.swatch} />
                <bdi lang="en">{name || key}</bdi>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
