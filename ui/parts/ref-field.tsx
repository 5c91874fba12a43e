import { Combobox, Group, InputBase, Loader, Text, useCombobox } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type RefText, refOf } from "../api/refs.ts";
import { wellFormedRef } from "../api/well-formed-ref.ts";
import { useRefWords } from "../words/ref.ts";
import { foldedText } from "./grid/grid-view.ts";
import { Named } from "./key-text.tsx";
import { type AboveRefs, type RefKind, useRefChoices } from "./ref-source.ts";
import { refusalOf } from "./refusal.ts";

/** Choices that are offered at a time. */
const OFFERED = 80;

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
  const say = useRefWords();
  const [typed, setTyped] = useState<string>();
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption();
      setTyped(undefined);
    },
  });
  const { choices, isLoading, error: failed } = useRefChoices(kind, above, box.dropdownOpened || value !== "");
  const chosen = choices.find(({ id, key }) => value === `id:${id}` || value === `key:${key}`);
  const sought = foldedText(typed ?? "");
  const fitting = choices.filter(({ key, name }) => foldedText(`${name ?? ""} ${key} key:${key}`).includes(sought));
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
          {fitting.slice(0, OFFERED).map(({ id, key, name }) => (
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
        {fitting.length > OFFERED && (
          <Combobox.Footer>
            <Text size="xs" c="dimmed">
              {say("others", { count: fitting.length - OFFERED })}
            </Text>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}
