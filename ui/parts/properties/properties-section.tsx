import { Group, SegmentedControl, Text, Textarea, TextInput } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { PropertyEdit, PropertyValue } from "../../api/edits.ts";
import { useWords } from "../../words/words.ts";
import { EditorForm } from "../dialog.tsx";
import { AddButton, IconButton } from "../icon-button.tsx";
import { Section } from "../page.tsx";
import { Refusal } from "../problem-box.tsx";
import { formatRefusal } from "../refusal.ts";
import { KeyText } from "../text/key-text.tsx";
import styles from "./properties.module.css";

interface PropertiesSectionProps {
  readonly properties: Readonly<Record<string, unknown>> | undefined;
  /** Absent if the person is not permitted to write. */
  readonly edit?: PropertyEdit | undefined;
}

/** Properties of an object: named JSON values, added, changed and removed in place. */
export function PropertiesSection({ properties = {}, edit }: PropertiesSectionProps): ReactNode {
  const say = useWords("structure");
  const [open, setOpen] = useState<{ readonly name?: string }>();
  const [refusal, setRefusal] = useState<string>();
  const names = Object.keys(properties).toSorted();
  const remove = (name: string) => {
    setRefusal(undefined);
    edit?.remove(name).catch((error: unknown) => setRefusal(formatRefusal(error)));
  };
  const renderForm = (name?: string) =>
    edit && (
      <PropertyForm
        {...(name !== undefined && { name, value: properties[name] })}
        save={(property, value) => edit.save(property, value, properties[property])}
        leave={() => setOpen(undefined)}
      />
    );
  return (
    <Section
      title={say("properties")}
      count={names.length}
      actions={edit && <AddButton isSmall label={say("addProperty")} run={() => setOpen({})} />}
    >
      {names.length === 0 && !open && <Text c="dimmed">{say("noProperties")}</Text>}
      {names.length > 0 && (
        <dl className="box">
          {names.map((name) => (
            <div key={name} className={styles.row}>
              <dt>
                <KeyText value={name} strong />
              </dt>
              <dd>{open?.name === name ? renderForm(name) : <ShownValue value={properties[name]} />}</dd>
              {edit && open?.name !== name && (
                <Group component="dd" gap={2} wrap="nowrap" className={styles.tools}>
                  <IconButton label={say("editProperty", { name })} icon={IconPencil} run={() => setOpen({ name })} />
                  <IconButton label={say("deleteProperty", { name })} icon={IconTrash} run={() => remove(name)} />
                </Group>
              )}
            </div>
          ))}
        </dl>
      )}
      {refusal && <Refusal>{refusal}</Refusal>}
      {open && open.name === undefined && <div className={styles.form}>{renderForm()}</div>}
    </Section>
  );
}

function ShownValue({ value }: { readonly value: unknown }) {
  if (typeof value === "string" && value !== "") {
    return (
      <span lang="en" dir="auto" className="pre">
        {value}
      </span>
    );
  }
  return (
    <code className={styles.json} lang="en">
      {JSON.stringify(value, null, 2)}
    </code>
  );
}

interface PropertyFormProps {
  readonly name?: string;
  readonly value?: unknown;
  readonly save: (name: string, value: PropertyValue) => Promise<void>;
  readonly leave: () => void;
}

function PropertyForm({ name: oldName, value, save, leave }: PropertyFormProps) {
  const say = useWords("structure");
  const isText = value === undefined || typeof value === "string";
  const [name, setName] = useState(oldName ?? "");
  const [kind, setKind] = useState(isText ? "text" : "json");
  const [text, setText] = useState(value === undefined ? "" : isText ? String(value) : JSON.stringify(value, null, 2));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Escape of the fields
    <div
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        leave();
      }}
    >
      <EditorForm save={async () => save(name, kind === "json" ? JSON.parse(text) : text)} leave={leave}>
        {(problem) => (
          <>
            {oldName === undefined && (
              <TextInput
                label={say("propertyName")}
                value={name}
                required
                withAsterisk={false}
                autoFocus
                onChange={(event) => setName(event.currentTarget.value)}
              />
            )}
            <SegmentedControl
              size="xs"
              aria-label={say("valueKind")}
              style={{ alignSelf: "flex-start" }}
              value={kind}
              onChange={setKind}
              data={[
                { value: "text", label: say("text") },
                { value: "json", label: say("json") },
              ]}
            />
            <Textarea
              aria-label={say("propertyValue")}
              value={text}
              autosize
              minRows={kind === "json" ? 3 : 1}
              maxRows={16}
              autoFocus={oldName !== undefined}
              error={problem instanceof SyntaxError && say("notJson", { fault: problem.message })}
              {...(kind === "json" && { styles: { input: { fontFamily: "var(--mantine-font-family-monospace)" } } })}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {problem !== undefined && !(problem instanceof SyntaxError) && <Refusal>{formatRefusal(problem)}</Refusal>}
          </>
        )}
      </EditorForm>
    </div>
  );
}
