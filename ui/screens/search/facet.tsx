import { Checkbox, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { KeyText } from "../../parts/key-text.tsx";
import { useChangesWords } from "../../words/changes.ts";
import { useFormats } from "../../words/formats.ts";
import styles from "./search.module.css";

/** Values that are shown before somebody asks for more. */
const SHOWN = 10;

interface FacetProps {
  readonly title: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly chosen: readonly string[];
  readonly labelOf: (value: string) => string;
  /** The key to show below a label. */
  readonly keyOf?: (value: string) => string;
  readonly choose: (values: readonly string[]) => void;
}

/** One way to narrow what was found: its values, each with how many there are. */
export function Facet({ title, values, chosen, labelOf, keyOf, choose }: FacetProps): ReactNode {
  const say = useChangesWords();
  const formats = useFormats();
  const [isWhole, setIsWhole] = useState(false);
  const missing = chosen.filter((one) => !values.some(({ value }) => value === one));
  const all = [...values, ...missing.map((value) => ({ value, count: 0 }))];
  const shown = isWhole ? all : all.filter(({ value }, at) => at < SHOWN || chosen.includes(value));
  const toggle = (value: string): void =>
    choose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <fieldset className={styles.facet}>
      <legend>{title}</legend>
      {shown.map(({ value, count }) => {
        const label = labelOf(value);
        const key = keyOf?.(value);
        return (
          <div key={value} className={styles.facetRow}>
            <Checkbox
              size="xs"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
              label={
                <>
                  <bdi>{label}</bdi>
                  {key !== undefined && key !== label && (
                    <span className={styles.facetKey}>
                      <KeyText value={key} most={24} />
                    </span>
                  )}
                </>
              }
            />
            <span className={styles.count}>{formats.number(count)}</span>
          </div>
        );
      })}
      {shown.length < all.length && (
        <UnstyledButton className={styles.facetMore} onClick={() => setIsWhole(true)}>
          {say("showMore", { count: all.length - shown.length })}
        </UnstyledButton>
      )}
    </fieldset>
  );
}
