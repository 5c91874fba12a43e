import { Text } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useWords } from "../../words/words.ts";
import { IconButton } from "../icon-button.tsx";
import facts from "../page.module.css";
import { Section } from "../page.tsx";
import { useSaver } from "../use-saver.tsx";
import { formatFieldText, getKeywordShape, listKeywords, type ShownConstraints } from "./constraint-text.ts";
import { ConstraintsEditor } from "./constraints-editor.tsx";

interface ConstraintsSectionProps {
  readonly value: ShownConstraints | undefined;
  /** Absent if the person is not permitted to. */
  readonly save?: (value: ShownConstraints | undefined, base: ShownConstraints | undefined) => Promise<void>;
}

const NONE: ShownConstraints = {};

/** Constraints of an attribute, to read and to edit in place as one value. */
export function ConstraintsSection({ value = NONE, save }: ConstraintsSectionProps): ReactNode {
  const say = useWords("constraints");
  const [base, setBase] = useState<ShownConstraints>();
  const toSentValue = (one: ShownConstraints) => (listKeywords(one).length > 0 ? one : undefined);
  const saver = useSaver<ShownConstraints | undefined>(
    say("title"),
    (next, from) => (save ? save(next, from) : Promise.resolve()),
    (one) => JSON.stringify(one ?? {}, null, 2),
  );
  return (
    <Section
      title={say("title")}
      actions={
        save && !base && <IconButton size={24} label={say("edit")} icon={IconPencil} run={() => setBase(value)} />
      }
    >
      {base ? (
        <ConstraintsEditor
          value={base}
          save={(next) => saver.save(next, toSentValue(base))}
          leave={() => setBase(undefined)}
        />
      ) : (
        <ConstraintsView value={value} />
      )}
      {saver.dialog}
    </Section>
  );
}

function ConstraintsView({ value }: { readonly value: ShownConstraints }) {
  const say = useWords("constraints");
  const names = listKeywords(value);
  if (names.length === 0) return <Text c="dimmed">{say("none")}</Text>;
  return (
    <dl className={facts.facts}>
      {names.map((name) => (
        // A term and its value form one row of the grid.
        <div key={name} style={{ display: "contents" }}>
          <dt title={name}>{say(name)}</dt>
          <dd className={facts.value} lang="en" dir="auto">
            {getKeywordShape(name) === "flag"
              ? say(value[name] === true ? "yes" : "no")
              : formatFieldText(name, value[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}
