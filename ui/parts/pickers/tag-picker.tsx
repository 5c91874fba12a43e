import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { RefText } from "../../api/refs.ts";
import { useWords } from "../../words/words.ts";
import { ProblemBox } from "../problem-box.tsx";
import styles from "../tag-chip.module.css";
import { AddTagButton, type ShownTag, TagChip } from "../tag-chip.tsx";
import { AddTag } from "./floating.tsx";

interface TagPickerProps {
  readonly modelRef: RefText;
  readonly tags: readonly ShownTag[];
  readonly mayEdit: boolean;
  readonly add: (tagRef: RefText) => Promise<unknown>;
  readonly remove: (tagRef: RefText) => Promise<unknown>;
}

/** Tags of an object: local and global ones are added and removed, and local ones created. */
export function TagPicker({ modelRef, tags, mayEdit, add, remove }: TagPickerProps): ReactNode {
  const say = useWords("tag");
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const run = (work: Promise<unknown>): void => {
    setProblem(undefined);
    work.catch(setProblem);
  };
  return (
    <div>
      <div className={styles.row}>
        {tags.map((tag) => (
          <TagChip key={tag.id} tag={tag} remove={mayEdit ? () => run(remove(`id:${tag.id}`)) : undefined} />
        ))}
        {tags.length === 0 && !mayEdit && <Text c="dimmed">{say("none")}</Text>}
        {mayEdit &&
          (isAdding ? (
            <AddTag modelRef={modelRef} tags={tags} add={(ref) => run(add(ref))} fail={setProblem} />
          ) : (
            <AddTagButton isOpen={false} toggle={() => setIsAdding(true)} />
          ))}
      </div>
      {problem !== undefined && <ProblemBox problem={problem} />}
    </div>
  );
}
