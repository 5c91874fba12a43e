import { ActionIcon, Combobox, Text, Tooltip, useCombobox } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useRead } from "../api/reads.ts";
import { type RefText, refOf } from "../api/refs.ts";
import { useMay } from "../api/rights.ts";
import { useWrite } from "../api/writes.ts";
import { useTagWords } from "../words/tag.ts";
import { foldedText } from "./grid/grid-view.ts";
import { KeyText } from "./key-text.tsx";
import { ProblemBox } from "./problem-box.tsx";
import styles from "./tag-chip.module.css";
import { type ShownTag, TagChip } from "./tag-chip.tsx";

/** Tags that are offered at a time. */
const OFFERED = 60;

interface TagPickerProps {
  readonly modelRef: RefText;
  readonly tags: readonly ShownTag[];
  readonly mayEdit: boolean;
  readonly add: (tagRef: RefText) => Promise<unknown>;
  readonly remove: (tagRef: RefText) => Promise<unknown>;
}

/** The tags of an object: local ones of its model and global ones are put on and taken off; a new local one is made here. */
export function TagPicker({ modelRef, tags, mayEdit, add, remove }: TagPickerProps): ReactNode {
  const say = useTagWords();
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
        {mayEdit && <AddTag modelRef={modelRef} tags={tags} add={(ref) => run(add(ref))} fail={setProblem} />}
      </div>
      {problem !== undefined && <ProblemBox problem={problem} />}
    </div>
  );
}

interface AddTagProps {
  readonly modelRef: RefText;
  readonly tags: readonly ShownTag[];
  readonly add: (tagRef: RefText) => void;
  readonly fail: (problem: unknown) => void;
}

/** The button that offers tags, with a box to search in. */
function AddTag({ modelRef, tags, add, fail }: AddTagProps): ReactNode {
  const say = useTagWords();
  const may = useMay();
  const [typed, setTyped] = useState("");
  const box = useCombobox({ onDropdownClose: () => setTyped("") });
  const create = useWrite("tag/tag_local_create");
  // The search of tags takes the id of a model alone.
  const model = useRead("model/model_get", { modelRef }, { enabled: box.dropdownOpened }).data?.body.id;
  const read = useRead(
    "tag/tag_search",
    {
      filters: {
        operator: "or",
        items: [
          { type: "scopeRef", condition: "is", value: { type: "global" } },
          { type: "scopeRef", condition: "is", value: { type: "model", id: model ?? "" } },
        ],
      },
    },
    { enabled: model !== undefined },
  );
  const marked = new Set(tags.map(({ id }) => id));
  const sought = foldedText(typed.trim());
  const all = (read.data?.body.items ?? []).map((tag) => ({
    ...tag,
    shownKey: tag.group ? `${tag.group.key}/${tag.key}` : tag.key,
  }));
  const fitting = all
    .filter(({ id }) => !marked.has(id))
    .filter(({ shownKey, name }) => foldedText(`${shownKey} ${name ?? ""}`).includes(sought));
  const mayCreate =
    may("tag/tag_local_create") &&
    /^[A-Za-z0-9_-]{1,128}$/.test(typed) &&
    !all.some(({ shownKey }) => shownKey === typed);
  const submit = (value: string): void => {
    box.closeDropdown();
    if (value !== "new") add(refOf(value));
    else create.mutateAsync({ input: { modelRef, key: typed } }).then(({ body }) => add(`id:${body.id}`), fail);
  };
  return (
    <Combobox store={box} width={280} position="bottom-start" withinPortal onOptionSubmit={submit}>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <Tooltip label={say("add")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={say("add")}
            aria-expanded={box.dropdownOpened}
            onClick={() => box.toggleDropdown()}
          >
            <IconPlus size={16} />
          </ActionIcon>
        </Tooltip>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            box.resetSelectedOption();
          }}
          placeholder={say("search")}
          aria-label={say("search")}
        />
        <Combobox.Options mah={280} style={{ overflowY: "auto" }} aria-label={say("add")}>
          {fitting.slice(0, OFFERED).map((tag) => (
            <Combobox.Option value={`id:${tag.id}`} key={tag.id}>
              <TagChip tag={{ ...tag, key: tag.shownKey }} /> {tag.name && <KeyText value={tag.shownKey} most={32} />}
            </Combobox.Option>
          ))}
          {mayCreate && <Combobox.Option value="new">{say("create", { tag: typed })}</Combobox.Option>}
          {fitting.length === 0 && !mayCreate && <Combobox.Empty>{say("nothing")}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
