import { Modal, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useRead } from "../api/reads.ts";
import { useMay } from "../api/rights.ts";
import { useSession } from "../api/session.ts";
import { getHitKey, getHitLabel, getHitPath, listParentLabels } from "../parts/search/hits.ts";
import { foldText } from "../words/formats.ts";
import { useKindWord, useWords } from "../words/words.ts";
import { PLACES } from "./rail-places.ts";
import { listRecentPlaces } from "./recent-places.ts";
import styles from "./shell.module.css";

const MAX_OBJECTS = 8;
/** Milliseconds without typing before the search starts. */
const SEARCH_DELAY = 150;

function useHitEntries(input: string): PaletteGroup {
  const say = useWords("search");
  const kindWord = useKindWord();
  const navigate = useNavigate();
  const session = useSession();
  const [text] = useDebouncedValue(input, SEARCH_DELAY);
  const isAsked = input !== "" && text !== "" && session !== undefined;
  const read = useRead(
    "model/search",
    isAsked
      ? {
          filters: { operator: "and", items: [{ type: "text", condition: "contains", value: text }] },
          limit: MAX_OBJECTS,
        }
      : undefined,
    { keep: true },
  );
  const hits = isAsked ? (read.data?.body.items ?? []) : [];
  const entries = hits.map((one): PaletteEntry => {
    const path = getHitPath(one);
    const [label, key] = [getHitLabel(one), getHitKey(one)];
    return {
      id: `found ${one.location.modelId} ${one.id}`,
      label: label === key ? key : `${label} (${key})`,
      hint: [kindWord(one.location.objectType), ...listParentLabels(one)].join(" · "),
      // The router types its addresses one by one; this path is one of them.
      run: () => void navigate({ ...path, params: path.params as never }),
    };
  });
  const all: PaletteEntry = {
    id: "found all",
    label: say("paletteAll", { text: input }),
    run: () => void navigate({ to: "/search", search: { q: input } }),
  };
  return { title: say("paletteFound"), entries: input === "" ? [] : [...entries, all] };
}

const MAX_ENTRIES = 12;

function isNamed(actionRef: string, words: readonly string[]) {
  return words.length === 1 && (actionRef === words[0] || actionRef.slice(actionRef.indexOf("/") + 1) === words[0]);
}

function useActionEntries(input: string): PaletteGroup {
  const say = useWords("frame");
  const navigate = useNavigate();
  const session = useSession();
  const read = useRead("config/inspect_actions", session && {});
  const run = foldText(say("paletteRunWord"));
  const words = foldText(input).split(/\s+/).filter(Boolean);
  // "run create entity" means the same as "create entity".
  const wantedWords = words[0] === run ? words.slice(1) : words;
  const isAsked = words.length > 0;
  const entries = (isAsked ? (read.data?.body.items ?? []) : [])
    .filter(({ actionRef, title }) => {
      const within = foldText(`${title} ${actionRef} ${actionRef.replaceAll(/[_/]/g, " ")}`);
      return wantedWords.every((word) => within.includes(word));
    })
    // The one whose name was typed whole comes first.
    .toSorted((a, b) => Number(isNamed(b.actionRef, wantedWords)) - Number(isNamed(a.actionRef, wantedWords)))
    .slice(0, MAX_ENTRIES)
    .map(({ actionRef, title }) => {
      const [group = "", action = ""] = actionRef.split("/");
      return {
        id: actionRef,
        label: title,
        hint: actionRef,
        run: () => void navigate({ to: "/actions/$group/$action", params: { group, action } }),
      };
    });
  return { title: say("paletteRun"), entries };
}

/** Opens screens, finds objects and runs actions for the typed text. */
export function Palette({ close }: { readonly close: () => void }): ReactNode {
  const say = useWords("frame");
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => (opener instanceof HTMLElement ? opener.focus() : undefined), [opener]);
  return (
    // Without a transition, the field has the focus before the next key press.
    <Modal.Root opened onClose={close} size={640} yOffset="12vh" transitionProps={{ duration: 0 }} returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={say("palette")} radius={10}>
        <PaletteBody close={close} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteBody({ close }: { readonly close: () => void }) {
  const say = useWords("frame");
  const list = useId();
  const [input, setInput] = useState("");
  /** The entry that the person moved to; it stays chosen when the list grows. */
  const [chosenId, setChosenId] = useState<string>();
  // biome-ignore lint/correctness/useHookAtTopLevel: the table of sources never changes, so the hooks keep their order
  const groups = PALETTE_SOURCES.map((useSource) => useSource(input.trim())).filter((g) => g.entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === chosenId),
  );
  const getOptionId = (index: number) => `${list}-${index}`;
  const run = (index: number) => {
    close();
    entries[index]?.run();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && entries.length > 0) run(at);
    else if (event.key === "ArrowDown") setChosenId(entries.at((at + 1) % entries.length)?.id);
    else if (event.key === "ArrowUp") setChosenId(entries.at(at - 1)?.id);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        autoFocus
        size="lg"
        variant="unstyled"
        px="md"
        leftSection={<IconSearch size={18} aria-hidden />}
        leftSectionWidth={28}
        placeholder={say("paletteHint")}
        aria-label={say("palette")}
        role="combobox"
        aria-expanded
        aria-controls={list}
        {...(entries.length > 0 && { "aria-activedescendant": getOptionId(at) })}
        value={input}
        onChange={(event) => {
          setInput(event.currentTarget.value);
          setChosenId(undefined);
        }}
        onKeyDown={handleKey}
      />
      <div className={styles.list} id={list} role="listbox" aria-label={say("palette")}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options of a list box has no HTML element
          <div role="group" aria-label={group.title} key={group.title}>
            <div className={styles.group} aria-hidden>
              {group.title}
            </div>
            {group.entries.map((entry) => {
              const index = entries.indexOf(entry);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above
                <div
                  key={entry.id}
                  id={getOptionId(index)}
                  role="option"
                  aria-selected={index === at}
                  className={styles.entry}
                  onMouseMove={() => setChosenId(entry.id)}
                  onClick={() => run(index)}
                  ref={index === at ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
                >
                  {entry.icon}
                  <span>{entry.label}</span>
                  {entry.hint && <span className={styles.beside}>{entry.hint}</span>}
                </div>
              );
            })}
          </div>
        ))}
        {entries.length === 0 && (
          <Text c="dimmed" p="sm">
            {say("nothingFitsText", { text: input })}
          </Text>
        )}
      </div>
    </>
  );
}

const PALETTE_SOURCES: readonly PaletteSource[] = [useRecentEntries, usePlaceEntries, useHitEntries, useActionEntries];

function useRecentEntries(input: string): PaletteGroup {
  const say = useWords("search");
  const router = useRouter();
  const entries = listRecentPlaces()
    .filter(({ title }) => foldText(title).includes(foldText(input)))
    .map(({ href, title }) => ({ id: `recent ${href}`, label: title, run: () => router.history.push(href) }));
  return { title: say("paletteRecent"), entries: input === "" ? entries : entries.slice(0, 3) };
}

function usePlaceEntries(input: string): PaletteGroup {
  const say = useWords("frame");
  const may = useMay();
  const navigate = useNavigate();
  const entries = PLACES.filter(({ needs }) => needs === undefined || may(needs))
    .map(({ to, word, keys }) => ({ id: to, label: say(word), hint: keys, run: () => void navigate({ to }) }))
    .filter(({ label }) => foldText(label).includes(foldText(input)));
  return { title: say("places"), entries };
}

interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly icon?: ReactNode;
  readonly run: () => void;
}

interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** Hook that finds entries for the typed text; the text is empty before typing. */
type PaletteSource = (input: string) => PaletteGroup;
