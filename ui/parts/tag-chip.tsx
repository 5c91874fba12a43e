import { UnstyledButton } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { CSSProperties, ReactNode, Ref } from "react";
import { findTagColourIndex } from "../../shared/diagram/diagram-colours.ts";
import { useWords } from "../words/words.ts";
import { IconButton } from "./icon-button.tsx";
import styles from "./tag-chip.module.css";

/** A tag in the answer of an object; the key of a global one is `<group>/<tag>`. */
export interface ShownTag {
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
}

interface TagChipProps {
  readonly tag: ShownTag;
  readonly remove?: (() => void) | undefined;
}

/** Tag in its colour, with its name or its key. */
export function TagChip({ tag, remove }: TagChipProps): ReactNode {
  const say = useWords("tag");
  const label = tag.name || tag.key;
  return (
    <span className={styles.chip} style={getTagColors(tag.key)} title={tag.key}>
      <bdi lang="en">{label}</bdi>
      {remove && (
        <UnstyledButton className={styles.remove} aria-label={say("remove", { tag: label })} onClick={remove}>
          <IconX size={12} aria-hidden />
        </UnstyledButton>
      )}
    </span>
  );
}

interface TagRowProps {
  readonly tags: readonly ShownTag[];
  readonly most?: number;
}

/** Row of tags. */
export function TagRow({ tags, most = Number.POSITIVE_INFINITY }: TagRowProps): ReactNode {
  const rest = tags.slice(most);
  return (
    <span className={styles.row}>
      {tags.slice(0, most).map((tag) => (
        <TagChip key={tag.id} tag={tag} />
      ))}
      {rest.length > 0 && <span title={rest.map(({ name, key }) => name || key).join(", ")}>+{rest.length}</span>}
    </span>
  );
}

/** Returns the colours of a tag by its key; tags of one group differ. */
function getTagColors(key: string): CSSProperties {
  const hue = 25 + 36 * findTagColourIndex(key);
  return {
    color: `light-dark(oklch(0.42 0.11 ${hue}), oklch(0.86 0.08 ${hue}))`,
    background: `light-dark(oklch(0.955 0.025 ${hue}), oklch(0.3 0.045 ${hue}))`,
    borderColor: `light-dark(oklch(0.86 0.06 ${hue}), oklch(0.42 0.06 ${hue}))`,
  };
}

interface AddTagButtonProps {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Button that opens the list of tags. */
export function AddTagButton({ isOpen, toggle, ref }: AddTagButtonProps): ReactNode {
  const say = useWords("tag");
  return (
    <IconButton
      {...(ref && { ref })}
      size={24}
      label={say("add")}
      title={say("add")}
      aria-expanded={isOpen}
      icon={IconPlus}
      run={toggle}
    />
  );
}
