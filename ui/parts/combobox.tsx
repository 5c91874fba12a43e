import { Combobox, Group, InputBase, Loader, Text, useCombobox } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useRead } from "../api/reads.ts";
import { type RefText, refOf } from "../api/refs.ts";
import { useMay } from "../api/rights.ts";
import { wellFormedRef } from "../api/well-formed-ref.ts";
import { useWrite } from "../api/writes.ts";
import { foldText } from "../words/formats.ts";
import { useWords } from "../words/words.ts";
import { AddTagButton } from "./add-tag-button.tsx";
import { replayKeys } from "./held-keys.ts";
import { KeyText, Named } from "./key-text.tsx";
import { type AboveRefs, type RefKind, useRefChoices } from "./ref-source.ts";
import { refusalOf } from "./refusal.ts";
import { type ShownTag, TagChip } from "./tag-chip.tsx";

/** Tags that are offered at a time. */
const OFFERED_TAGS = 60;

interface AddTagProps {
  readonly modelRef: RefText;
  readonly tags: readonly ShownTag[];
  readonly add: (tagRef: RefText) => void;
  readonly fail: (problem: unknown) => void;
}

/** The tags that can be put on an object, with a box to search in; open at first. */
export function AddTag({ modelRef, tags, add, fail }: AddTagProps): ReactNode {
  const say = useWords("tag");
  const may = useMay();
  const [typed, setTyped] = useState("");
  const box = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => setTyped(""),
    onDropdownOpen: () => box.focusSearchInput(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is opened when it is drawn first
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
  const sought = foldText(typed.trim());
  const all = (read.data?.body.items ?? []).map((tag) => ({
    ...tag,
    shownKey: tag.group ? `${tag.group.key}/${tag.key}` : tag.key,
  }));
  const fitting = all
    .filter(({ id }) => !marked.has(id))
    .filter(({ shownKey, name }) => foldText(`${shownKey} ${name ?? ""}`).includes(sought));
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
          onFocus={replayKeys}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            box.resetSelectedOption();
          }}
          placeholder={say("search")}
          aria-label={say("search")}
        />
        <Combobox.Options mah={280} style={{ overflowY: "auto" }} aria-label={say("add")}>
          {fitting.slice(0, OFFERED_TAGS).map((tag) => (
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

/** Choices that are offered at a time. */
const OFFERED_REFS = 80;

/** Which ref is picked, and what happens then. */
export interface RefPickerProps {
  readonly kind: RefKind;
  readonly label: string;
  /** True where a heading beside it says the same; screen readers are told the label all the same. */
  readonly isLabelHidden?: boolean;
  /** The ref, by id or key; empty for none. */
  readonly value: string;
  readonly onChange: (ref: RefText | "") => void;
  /** The refs above it, such as the model of an entity. */
  readonly above?: AboveRefs;
  readonly required?: boolean;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly disabled?: boolean;
  /** Whether picking gives refs by key, which people can read, or by id. */
  readonly by?: "key" | "id";
}

/** A field for a ref: what is typed searches names and keys, and a ref can be typed as it is. */
export function RefField(props: RefPickerProps): ReactNode {
  const {
    kind,
    label,
    isLabelHidden = false,
    value,
    onChange,
    above = {},
    required,
    description,
    error,
    disabled,
    by = "key",
  } = props;
  const say = useWords("ref");
  const [typed, setTyped] = useState<string>();
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption();
      setTyped(undefined);
    },
  });
  const { choices, isLoading, error: failed } = useRefChoices(kind, above, box.dropdownOpened || value !== "");
  const chosen = choices.find(({ id, key }) => value === `id:${id}` || value === `key:${key}`);
  const sought = foldText(typed ?? "");
  const fitting = choices.filter(({ key, name }) => foldText(`${name ?? ""} ${key} key:${key}`).includes(sought));
  const typedRef = wellFormedRef(typed);
  const submit = (ref: string): void => {
    onChange(ref === "" ? "" : refOf(ref));
    box.closeDropdown();
  };
  return (
    <Combobox store={box} onOptionSubmit={submit} withinPortal>
      <Combobox.Target>
        <InputBase
          {...(isLabelHidden ? { "aria-label": label } : { label })}
          description={description}
          error={error}
          required={required ?? false}
          disabled={disabled ?? false}
          value={typed ?? (chosen ? (chosen.name ?? chosen.key) : value)}
          placeholder={say("search")}
          rightSection={isLoading && box.dropdownOpened ? <Loader size={14} /> : <Combobox.Chevron />}
          rightSectionPointerEvents="none"
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => {
            event.currentTarget.select();
            box.openDropdown();
          }}
          onClick={() => box.openDropdown()}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            box.openDropdown();
            box.updateSelectedOptionIndex();
          }}
          onBlur={() => {
            if (typed === "") onChange("");
            else if (typedRef) onChange(typedRef);
            box.closeDropdown();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: "auto" }} aria-label={label}>
          {fitting.slice(0, OFFERED_REFS).map(({ id, key, name }) => (
            <Combobox.Option key={id} value={by === "id" ? `id:${id}` : `key:${key}`} active={chosen?.id === id}>
              <Group gap={6} style={{ overflowWrap: "anywhere" }}>
                <Named name={name} objectKey={key} />
              </Group>
            </Combobox.Option>
          ))}
          {typedRef && fitting.length === 0 && (
            <Combobox.Option value={typedRef}>{say("asTyped", { ref: typedRef })}</Combobox.Option>
          )}
          {fitting.length === 0 && !typedRef && (
            <Combobox.Empty>
              {failed ? <span lang="en">{refusalOf(failed)}</span> : say(isLoading ? "loading" : "nothing")}
            </Combobox.Empty>
          )}
        </Combobox.Options>
        {fitting.length > OFFERED_REFS && (
          <Combobox.Footer>
            <Text size="xs" c="dimmed">
              {say("others", { count: fitting.length - OFFERED_REFS })}
            </Text>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}
