import { Combobox, useCombobox } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useRead } from "../api/reads.ts";
import { type RefText, refOf } from "../api/refs.ts";
import { useMay } from "../api/rights.ts";
import { useWrite } from "../api/writes.ts";
import { useTagWords } from "../words/tag.ts";
import { AddTagButton } from "./add-tag-button.tsx";
import { foldedText } from "./grid/grid-view.ts";
import { KeyText } from "./key-text.tsx";
import { type ShownTag, TagChip } from "./tag-chip.tsx";

/** Tags that are offered at a time. */
const OFFERED = 60;

interface AddTagProps {
  readonly modelRef: RefText;
  readonly tags: readonly ShownTag[];
  readonly add: (tagRef: RefText) => void;
  readonly fail: (problem: unknown) => void;
}

/** The tags that can be put on an object, with a box to search in; open at first. */
export function AddTag({ modelRef, tags, add, fail }: AddTagProps): ReactNode {
  const say = useTagWords();
  const may = useMay();
  const [typed, setTyped] = useState("");
  const box = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => setTyped(""),
    onDropdownOpen: () => box.focusSearchInput(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened by being drawn
  useEffect(() => box.focusSearchInput(), []);
  const create = useWrite("tag/tag_local_create");
  // The search of tags takes the id of a model alone.
  const model = useRead("model/model_get", box.dropdownOpened ? { modelRef } : undefined).data?.body.id;
  const read = useRead(
    "tag/tag_search",
    model === undefined
      ? undefined
      : {
          filters: {
            operator: "or",
            items: [
              { type: "scopeRef", condition: "is", value: { type: "global" } },
              { type: "scopeRef", condition: "is", value: { type: "model", id: model } },
            ],
          },
        },
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
        <AddTagButton isOpen={box.dropdownOpened} toggle={() => box.toggleDropdown()} />
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
