import { Group, Select, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { KEYWORD_NAMES, type KeywordName } from "../../../shared/domain/constraints/keywords.ts";
import { useWords } from "../../words/words.ts";
import { EditorForm } from "../dialog.tsx";
import { listFaultsAt } from "../field-faults.ts";
import { IconButton } from "../icon-button.tsx";
import { Refusal } from "../problem-box.tsx";
import {
  formatFieldText,
  getKeywordShape,
  listKeywords,
  parseFieldValue,
  type ShownConstraints,
} from "./constraint-text.ts";

interface ConstraintsEditorProps {
  readonly value: ShownConstraints;
  /** Saves all constraints; undefined clears them. Faults in its error appear at their fields. */
  readonly save: (value: ShownConstraints | undefined) => Promise<void>;
  readonly leave: () => void;
}

/** Constraints editor with one field per keyword. */
export function ConstraintsEditor({ value, save, leave }: ConstraintsEditorProps): ReactNode {
  const say = useWords("constraints");
  const [texts, setTexts] = useState<ReadonlyMap<KeywordName, string>>(
    () => new Map(listKeywords(value).map((name) => [name, formatFieldText(name, value[name])])),
  );
  const [focus, setFocus] = useState<KeywordName>();
  const names = KEYWORD_NAMES.filter((name) => texts.has(name));
  const send = (): Promise<void> => {
    const next = Object.fromEntries(names.map((name) => [name, parseFieldValue(name, texts.get(name) ?? "")]));
    return save(names.length > 0 ? next : undefined);
  };
  const add = (name: string | null) => {
    const keyword = KEYWORD_NAMES.find((one) => one === name);
    if (!keyword) return;
    setFocus(keyword);
    setTexts(new Map(texts).set(keyword, getKeywordShape(keyword) === "flag" ? "true" : ""));
  };
  return (
    <EditorForm submit={say("save")} save={send} leave={leave}>
      {(problem) => {
        const findFault = (name: KeywordName) =>
          listFaultsAt(problem, `value/${name}`)
            .map(({ detail }) => detail)
            .join("; ");
        const faults = new Map(names.map((name) => [name, findFault(name)]));
        return (
          <>
            {names.map((name) => (
              <ConstraintField
                key={name}
                keyword={name}
                text={texts.get(name) ?? ""}
                setText={(text) => setTexts(new Map(texts).set(name, text))}
                remove={() => setTexts(new Map([...texts].filter(([one]) => one !== name)))}
                fault={faults.get(name)}
                hasFocus={focus === name}
              />
            ))}
            <Select
              aria-label={say("add")}
              placeholder={say("add")}
              searchable
              nothingFoundMessage={say("nothingFits")}
              value={null}
              onChange={add}
              autoFocus={names.length === 0}
              data={KEYWORD_NAMES.filter((name) => !texts.has(name)).map((name) => ({
                value: name,
                label: `${say(name)} (${name})`,
              }))}
            />
            {problem !== undefined && [...faults.values()].every((fault) => !fault) && (
              <Refusal>{problem instanceof Error ? problem.message : String(problem)}</Refusal>
            )}
          </>
        );
      }}
    </EditorForm>
  );
}

interface ConstraintFieldProps {
  readonly keyword: KeywordName;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly remove: () => void;
  readonly fault?: string | undefined;
  readonly hasFocus: boolean;
}

function ConstraintField({ keyword, text, setText, remove, fault, hasFocus }: ConstraintFieldProps) {
  const say = useWords("constraints");
  const shape = getKeywordShape(keyword);
  const isMany = shape === "choices" || shape === "values";
  const label = (
    <Group component="span" gap={6} display="inline-flex">
      {say(keyword)}
      <Text component="span" ff="monospace" fz="xs" c="dimmed" lang="en">
        {keyword}
      </Text>
    </Group>
  );
  const props = {
    label,
    value: text,
    error: fault && <span lang="en">{fault}</span>,
    autoFocus: hasFocus,
    ...(shape !== "line" && { styles: { input: { fontFamily: "var(--mantine-font-family-monospace)" } } }),
  };
  return (
    <Group gap={6} align="flex-start" wrap="nowrap">
      <div style={{ flex: 1, minWidth: 0 }}>
        {shape === "flag" ? (
          <Switch
            label={label}
            checked={text === "true"}
            error={fault}
            onChange={(event) => setText(String(event.currentTarget.checked))}
          />
        ) : isMany ? (
          <Textarea
            {...props}
            description={say("lines")}
            autosize
            minRows={2}
            maxRows={12}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            {...props}
            {...(shape === "value" && { description: say("value") })}
            {...((shape === "number" || shape === "positive") && { inputMode: "decimal" as const })}
            {...(shape === "count" && { inputMode: "numeric" as const })}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </div>
      <IconButton
        mt={shape === "flag" ? 0 : 24}
        size={28}
        label={say("remove", { constraint: say(keyword) })}
        icon={IconX}
        run={remove}
      />
    </Group>
  );
}
