import { ActionIcon, Select, Text } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Attribute } from "../../api/attributes.ts";
import { useWords } from "../../words/words.ts";
import { KeyText } from "../text/key-text.tsx";
import { useSaver } from "../use-saver.tsx";
import styles from "./attributes.module.css";

interface OrderedAttributesProps {
  readonly label: string;
  /** Refs `id:<uuid>` in their order. */
  readonly refs: readonly string[];
  readonly attributes: readonly Attribute[];
  /** Absent if the person is not permitted to. */
  readonly save?: ((refs: readonly string[], base: readonly string[]) => Promise<void>) | undefined;
  readonly empty: string;
}

/** Attributes with a meaningful order, edited one by one. */
export function OrderedAttributes({ label, refs, attributes, save, empty }: OrderedAttributesProps): ReactNode {
  const say = useWords("structure");
  const keys = new Map(attributes.map(({ id, key }) => [`id:${id}`, key]));
  const findKey = (ref: string) => keys.get(ref) ?? ref;
  const saver = useSaver<readonly string[]>(
    label,
    (next, base) => (save ? save(next, base) : Promise.resolve()),
    (list) => list.map(findKey).join("\n"),
  );
  const change = (next: readonly string[]) => saver.change(next, refs);
  const moveAttribute = (from: number, to: number) => {
    const next = refs.filter((_, at) => at !== from);
    next.splice(to, 0, refs[from] as string);
    change(next);
  };
  const renderIcon = (text: string, icon: ReactNode, run: () => void, isOff = false) => (
    <ActionIcon variant="subtle" color="gray" size={24} aria-label={text} disabled={isOff} onClick={run}>
      {icon}
    </ActionIcon>
  );
  return (
    <div>
      {refs.length === 0 && (
        <Text c="dimmed" mb={save ? 8 : 0}>
          {empty}
        </Text>
      )}
      <ol className={styles.list} aria-label={label}>
        {refs.map((ref, at) => (
          <li key={ref} className={styles.item} data-still={save ? undefined : true}>
            <span className={styles.number}>{at + 1}</span>
            <span className={styles.text}>
              <KeyText value={findKey(ref)} strong most={40} />
            </span>
            {save && (
              <>
                {renderIcon(
                  say("moveUp", { object: findKey(ref) }),
                  <IconArrowLeft size={14} />,
                  () => moveAttribute(at, at - 1),
                  at === 0,
                )}
                {renderIcon(
                  say("moveDown", { object: findKey(ref) }),
                  <IconArrowRight size={14} />,
                  () => moveAttribute(at, at + 1),
                  at === refs.length - 1,
                )}
                {renderIcon(
                  say("removeParticipant", { attribute: findKey(ref), key: label }),
                  <IconX size={14} />,
                  () => change(refs.filter((one) => one !== ref)),
                )}
              </>
            )}
          </li>
        ))}
        {save && (
          <li>
            <Select
              aria-label={say("addParticipant", { key: label })}
              placeholder={say("addAttribute")}
              w={190}
              size="xs"
              searchable
              limit={80}
              nothingFoundMessage={say("nothingFits")}
              value={null}
              onChange={(ref) => ref !== null && change([...refs, ref])}
              data={attributes
                .filter(({ id }) => !refs.includes(`id:${id}`))
                .map(({ id, key }) => ({ value: `id:${id}`, label: key }))}
            />
          </li>
        )}
      </ol>
      {saver.alert}
      {saver.dialog}
    </div>
  );
}
