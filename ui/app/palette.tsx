import { Modal, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useFrameWords } from "../words/frame.ts";
import { endEarlyKeys } from "./early-keys.ts";
import styles from "./palette.module.css";
import { PALETTE_SOURCES } from "./palette-sources.ts";

interface PaletteProps {
  readonly opened: boolean;
  readonly close: () => void;
}

/** Goes to places, finds objects and runs actions by what is typed. */
export function Palette({ opened, close }: PaletteProps): ReactNode {
  const say = useFrameWords();
  return (
    <Modal.Root opened={opened} onClose={close} size={640} yOffset="12vh" transitionProps={{ duration: 80 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={say("palette")} radius={10}>
        <PaletteBody close={close} />
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteBody({ close }: { readonly close: () => void }): ReactNode {
  const say = useFrameWords();
  const list = useId();
  const [typed, setTyped] = useState("");
  /** The entry that a person went to: it stays chosen where more are found above it. */
  const [chosen, setChosen] = useState<string>();
  // biome-ignore lint/correctness/useHookAtTopLevel: the table of sources never changes, so the hooks keep their order
  const groups = PALETTE_SOURCES.map((useSource) => useSource(typed.trim())).filter((g) => g.entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === chosen),
  );
  const idOf = (place: number): string => `${list}-${place}`;
  const run = (place: number): void => {
    close();
    entries[place]?.run();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && entries.length > 0) run(at);
    else if (event.key === "ArrowDown") setChosen(entries.at((at + 1) % entries.length)?.id);
    else if (event.key === "ArrowUp") setChosen(entries.at(at - 1)?.id);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
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
        {...(entries.length > 0 && { "aria-activedescendant": idOf(at) })}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(undefined);
        }}
        onKeyDown={pressed}
        onFocus={() => {
          const early = endEarlyKeys();
          setTyped((text) => text + early);
        }}
      />
      <div className={styles.list} id={list} role="listbox" aria-label={say("palette")}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options of a list box has no element of its own
          <div role="group" aria-label={group.title} key={group.title}>
            <div className={styles.group} aria-hidden>
              {group.title}
            </div>
            {group.entries.map((entry) => {
              const place = entries.indexOf(entry);
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field above
                <div
                  key={entry.id}
                  id={idOf(place)}
                  role="option"
                  aria-selected={place === at}
                  className={styles.entry}
                  onMouseMove={() => setChosen(entry.id)}
                  onClick={() => run(place)}
                  ref={place === at ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
                >
                  {entry.icon}
                  <span>{entry.label}</span>
                  {entry.beside && <span className={styles.beside}>{entry.beside}</span>}
                </div>
              );
            })}
          </div>
        ))}
        {entries.length === 0 && (
          <Text c="dimmed" p="sm">
            {say("paletteEmpty", { text: typed })}
          </Text>
        )}
      </div>
    </>
  );
}
