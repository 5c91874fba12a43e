import { ActionIcon } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useConstraintWords } from "../../words/constraints.ts";
import { openedLater } from "../opened-later.tsx";
import { Section } from "../section.tsx";
import { useChoosing } from "../use-choosing.tsx";
import { keywordsIn, type ShownConstraints } from "./constraint-text.ts";
import { ConstraintsView } from "./constraints-view.tsx";

const ConstraintsEditor = openedLater(async () => (await import("./constraints-editor.tsx")).ConstraintsEditor);

interface ConstraintsSectionProps {
  readonly value: ShownConstraints | undefined;
  /** Saves all of them; absent where the person may not. */
  readonly save?: (value: ShownConstraints | undefined, base: ShownConstraints | undefined) => Promise<void>;
  readonly level?: 2 | 3;
}

const NONE: ShownConstraints = {};

/** The constraints of an attribute: to read, and to edit in place as one value. */
export function ConstraintsSection({ value = NONE, save, level = 2 }: ConstraintsSectionProps): ReactNode {
  const say = useConstraintWords();
  const [base, setBase] = useState<ShownConstraints>();
  const asSent = (one: ShownConstraints): ShownConstraints | undefined =>
    keywordsIn(one).length > 0 ? one : undefined;
  const choosing = useChoosing<ShownConstraints | undefined>(
    say("title"),
    (next, from) => (save ? save(next, from) : Promise.resolve()),
    (one) => JSON.stringify(one ?? {}, null, 2),
  );
  return (
    <Section
      title={say("title")}
      level={level}
      actions={
        save &&
        !base && (
          <ActionIcon variant="subtle" color="gray" size={24} aria-label={say("edit")} onClick={() => setBase(value)}>
            <IconPencil size={16} />
          </ActionIcon>
        )
      }
    >
      {base ? (
        <ConstraintsEditor
          value={base}
          save={(next) => choosing.save(next, asSent(base))}
          leave={() => setBase(undefined)}
        />
      ) : (
        <ConstraintsView value={value} />
      )}
      {choosing.dialog}
    </Section>
  );
}
