import { Combobox, Group, InputBase, Loader, Menu, type MenuItemProps, useCombobox } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { createLink, type LinkProps } from "@tanstack/react-router";
import {
  type AnchorHTMLAttributes,
  type ComponentType,
  Fragment,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useState,
} from "react";
import { parseTypedRef, type RefText, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useWrite } from "../../api/writes.ts";
import { foldText } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { formatRefusal } from "../refusal.ts";
import { AddTagButton, type ShownTag, TagChip } from "../tag-chip.tsx";
import { KeyText, ObjectName } from "../text/key-text.tsx";
import { type AboveRefs, type RefKind, useRefChoices } from "./ref-source.ts";

/** One line of a menu. */
export interface MenuAction {
  readonly label: string;
  readonly icon?: ComponentType<{ readonly size: number }>;
  readonly isDanger?: boolean;
  readonly isOff?: boolean;
  readonly run?: () => void;
  readonly link?: Pick<LinkProps, "to" | "params" | "search">;
}

/** A group of entries of a menu of which exactly one is chosen. */
export interface MenuChoices {
  readonly title: string;
  readonly items: readonly { readonly value: string; readonly label: ReactNode }[];
  readonly choice: string;
  readonly choose: (value: string) => void;
}

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style">;

const ItemAnchor = (props: MenuItemProps & AnchorProps) => <Menu.Item component="a" {...props} />;
const LinkItem = createLink(ItemAnchor);

export interface MenuDropdownProps {
  readonly choices?: readonly MenuChoices[];
  readonly actions: readonly MenuAction[];
  /** Draws the menu above its button, inside of the same element. */
  readonly isInRail?: boolean;
  readonly children: ReactElement;
}

/** Menu that is open when drawn first; a line separates choices and dangerous actions. */
export function MenuDropdown({ choices = [], actions, isInRail = false, children }: MenuDropdownProps): ReactNode {
  const focus = useMenuFocus();
  // The rail is a landmark and cuts off content that is wider than itself.
  const menu = isInRail
    ? ({ position: "top-start", width: 220, withinPortal: false, floatingStrategy: "fixed" } as const)
    : ({ position: "bottom-end" } as const);
  return (
    <Menu {...menu} {...focus.menu} withInitialFocusPlaceholder={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown {...focus.dropdown}>
        {choices.map((group) => (
          <Fragment key={group.title}>
            <Choices {...group} />
            <Menu.Divider />
          </Fragment>
        ))}
        {actions.map(({ label, icon: Icon, isDanger = false, isOff = false, run, link }, position) => {
          const leftSection = Icon && <Icon size={16} />;
          return (
            <Fragment key={label}>
              {isDanger && position > 0 && <Menu.Divider />}
              {link ? (
                <LinkItem leftSection={leftSection} {...link}>
                  {label}
                </LinkItem>
              ) : (
                <Menu.Item
                  leftSection={leftSection}
                  {...(isDanger && { c: "var(--mantine-color-error)" })}
                  disabled={isOff}
                  onClick={run}
                >
                  {label}
                </Menu.Item>
              )}
            </Fragment>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function Choices({ title, items, choice, choose }: MenuChoices) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of entries of a menu has no HTML element
    <div role="group" aria-label={title}>
      <Menu.Label aria-hidden>{title}</Menu.Label>
      {items.map(({ value, label }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          checked={value === choice}
          checkIcon={<IconCheck size={16} />}
          closeMenuOnClick
          onChange={() => choose(value)}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </div>
  );
}

/** Moves the focus of a menu at once; the timers of the library would take it away from a later entry. */
function useMenuFocus() {
  const id = useId();
  const [isOpen, setOpen] = useState(true);
  // The library gives the button of a menu this id.
  const focusButton = useCallback(() => document.getElementById(id)?.focus(), [id]);
  const ref = useCallback((dropdown: HTMLElement | null) => {
    if (!dropdown) return;
    // The library first notes which element had the focus.
    queueMicrotask(() =>
      dropdown.querySelector<HTMLElement>("[data-menu-item]:not(:disabled)")?.focus({ preventScroll: true }),
    );
  }, []);
  // Tab closes a menu and goes on from its button.
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== "Tab") return;
    focusButton();
    setOpen(false);
  };
  return {
    menu: { id, opened: isOpen, onChange: setOpen, onClose: focusButton, trapFocus: false, returnFocus: false },
    dropdown: { ref, onKeyDown },
  } as const;
}

const OFFERED_TAGS = 60;

interface AddTagProps {
  readonly modelRef: RefText;
  readonly tags: readonly ShownTag[];
  readonly add: (tagRef: RefText) => void;
  readonly fail: (problem: unknown) => void;
}

/** List of the tags that can be added to an object, with a search box; initially open. */
export function AddTag({ modelRef, tags, add, fail }: AddTagProps): ReactNode {
  const say = useWords("tag");
  const may = useMay();
  const [input, setInput] = useState("");
  const box = useCombobox({
    defaultOpened: true,
    onDropdownClose: () => setInput(""),
    onDropdownOpen: () => box.focusSearchInput(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list opens on the first render
  useEffect(() => box.focusSearchInput(), []);
  const create = useWrite("tag/tag_local_create");
  const { choices } = useRefChoices("tag", { modelRef }, box.dropdownOpened);
  const usedIds = new Set(tags.map(({ id }) => id));
  const searchText = foldText(input.trim());
  const matches = choices.filter(
    ({ id, key, name }) => !usedIds.has(id) && foldText(`${key} ${name ?? ""}`).includes(searchText),
  );
  const mayCreate =
    may("tag/tag_local_create") && /^[A-Za-z0-9_-]{1,128}$/.test(input) && choices.every(({ key }) => key !== input);
  const submit = (value: string) => {
    box.closeDropdown();
    if (value !== "new") add(toRef(value));
    else create.mutateAsync({ input: { modelRef, key: input } }).then(({ body }) => add(`id:${body.id}`), fail);
  };
  return (
    <Combobox store={box} width={280} position="bottom-start" withinPortal onOptionSubmit={submit}>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <AddTagButton isOpen={box.dropdownOpened} toggle={() => box.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={input}
          onChange={(event) => {
            setInput(event.currentTarget.value);
            box.resetSelectedOption();
          }}
          placeholder={say("search")}
          aria-label={say("search")}
        />
        <Combobox.Options mah={280} style={{ overflowY: "auto" }} aria-label={say("add")}>
          {matches.slice(0, OFFERED_TAGS).map((tag) => (
            <Combobox.Option value={`id:${tag.id}`} key={tag.id}>
              <TagChip tag={tag} /> {tag.name && <KeyText value={tag.key} most={32} />}
            </Combobox.Option>
          ))}
          {mayCreate && <Combobox.Option value="new">{say("create", { tag: input })}</Combobox.Option>}
          {matches.length === 0 && !mayCreate && <Combobox.Empty>{say("nothing")}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const OFFERED_REFS = 80;

/** The picked ref, and the handler of a change. */
export interface RefPickerProps {
  readonly kind: RefKind;
  readonly label: string;
  /** True if a heading has the same text; screen readers still get the label. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (ref: RefText | "") => void;
  readonly above?: AboveRefs;
  readonly error?: ReactNode;
  /** Form of the picked ref: by key, which is readable, or by id. */
  readonly by?: "key" | "id";
}

/** Field for a ref: typing searches names and keys, and a ref can be entered directly. */
export function RefPicker(props: RefPickerProps): ReactNode {
  const { kind, label, isLabelHidden = false, value, onChange, above = {}, error, by = "key" } = props;
  const say = useWords("ref");
  const [input, setInput] = useState<string>();
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption();
      setInput(undefined);
    },
  });
  const { choices, isLoading, error: failure } = useRefChoices(kind, above, box.dropdownOpened || value !== "");
  const choice = choices.find(({ id, key }) => value === `id:${id}` || value === `key:${key}`);
  const searchText = foldText(input ?? "");
  const matches = choices.filter(({ key, name }) => foldText(`${name ?? ""} ${key} key:${key}`).includes(searchText));
  const typedRef = parseTypedRef(input);
  const submit = (ref: string) => {
    onChange(ref === "" ? "" : toRef(ref));
    box.closeDropdown();
  };
  return (
    <Combobox store={box} onOptionSubmit={submit} withinPortal>
      <Combobox.Target>
        <InputBase
          {...(isLabelHidden ? { "aria-label": label } : { label })}
          error={error}
          value={input ?? (choice ? (choice.name ?? choice.key) : value)}
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
            setInput(event.currentTarget.value);
            box.openDropdown();
            box.updateSelectedOptionIndex();
          }}
          onBlur={() => {
            if (input === "") onChange("");
            else if (typedRef) onChange(typedRef);
            box.closeDropdown();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: "auto" }} aria-label={label}>
          {matches.slice(0, OFFERED_REFS).map(({ id, key, name }) => (
            <Combobox.Option key={id} value={by === "id" ? `id:${id}` : `key:${key}`} active={choice?.id === id}>
              <Group gap={6} style={{ overflowWrap: "anywhere" }}>
                <ObjectName name={name} objectKey={key} />
              </Group>
            </Combobox.Option>
          ))}
          {typedRef && matches.length === 0 && (
            <Combobox.Option value={typedRef}>{say("asTyped", { ref: typedRef })}</Combobox.Option>
          )}
          {matches.length === 0 && !typedRef && (
            <Combobox.Empty>
              {failure ? <span lang="en">{formatRefusal(failure)}</span> : say(isLoading ? "loading" : "nothingFits")}
            </Combobox.Empty>
          )}
        </Combobox.Options>
        {matches.length > OFFERED_REFS && (
          <Combobox.Footer>
            <p className="hint">{say("others", { count: matches.length - OFFERED_REFS })}</p>
          </Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}
