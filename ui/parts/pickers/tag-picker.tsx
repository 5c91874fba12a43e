import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { RefText } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { ActionName, InputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { ProblemBox } from "../problem-box.tsx";
import styles from "../tag-chip.module.css";
import { AddTagButton, type ShownTag, TagChip } from "../tag-chip.tsx";
import { AddTag } from "./floating.tsx";

interface TagPickerProps<A extends ActionName, D extends ActionName> {
  readonly modelRef: RefText;
  readonly tags: readonly ShownTag[];
  readonly actions: { readonly addTag: A; readonly deleteTag: D };
  /** Refs of the object, which both actions take. */
  readonly refs: Omit<InputOf<A> & InputOf<D>, "tagRef">;
}

/** Adds and removes tags of an object, and creates local ones. */
export function TagPicker<A extends ActionName, D extends ActionName>(props: TagPickerProps<A, D>): ReactNode {
  const { modelRef, tags, actions, refs } = props;
  const say = useWords("tag");
  const mayEdit = useMay()(actions.addTag);
  const addTag = useWrite(actions.addTag);
  const deleteTag = useWrite(actions.deleteTag);
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const run = (write: typeof addTag | typeof deleteTag, tagRef: RefText) => {
    setProblem(undefined);
    write.mutateAsync({ input: { ...refs, tagRef } as unknown as InputOf<A> & InputOf<D> }).catch(setProblem);
  };
  return (
    <div>
      <div className={styles.row}>
        {tags.map((tag) => (
          <TagChip key={tag.id} tag={tag} remove={mayEdit ? () => run(deleteTag, `id:${tag.id}`) : undefined} />
        ))}
        {tags.length === 0 && !mayEdit && <Text c="dimmed">{say("none")}</Text>}
        {mayEdit &&
          (isAdding ? (
            <AddTag modelRef={modelRef} tags={tags} add={(ref) => run(addTag, ref)} fail={setProblem} />
          ) : (
            <AddTagButton isOpen={false} toggle={() => setIsAdding(true)} />
          ))}
      </div>
      {problem !== undefined && <ProblemBox problem={problem} />}
    </div>
  );
}
