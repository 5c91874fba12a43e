import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { PropertyValue } from "../../api/properties.ts";
import { useStructureWords } from "../../words/structure.ts";
import { refusalOf } from "../refusal.ts";

interface PropertyFormProps {
  /** The name of the property whose value is edited; without it the form asks for one. */
  readonly name?: string;
  readonly value?: unknown;
  readonly save: (name: string, value: PropertyValue) => Promise<void>;
  readonly leave: () => void;
}

/** The fields of a property: its name where it is new, and its value as a text or as JSON. */
export function PropertyForm({ name: given, value, save, leave }: PropertyFormProps): ReactNode {
  const say = useStructureWords();
  const isText = value === undefined || typeof value === "string";
  const [name, setName] = useState(given ?? "");
  const [kind, setKind] = useState(isText ? "text" : "json");
  const [text, setText] = useState(value === undefined ? "" : isText ? String(value) : JSON.stringify(value, null, 2));
  const [fault, setFault] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    event.stopPropagation();
    setFault(undefined);
    setRefusal(undefined);
    let next: PropertyValue = text;
    if (kind === "json") {
      try {
        next = JSON.parse(text);
      } catch (error) {
        setFault(say("notJson", { fault: error instanceof Error ? error.message : "" }));
        return;
      }
    }
    setBusy(true);
    try {
      await save(name, next);
      leave();
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => void send(event)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send(event);
        if (event.key === "Escape") {
          event.stopPropagation();
          leave();
        }
      }}
    >
      <Stack gap="xs">
        {given === undefined && (
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
            { value: "text", label: say("valueAsText") },
            { value: "json", label: say("valueAsJson") },
          ]}
        />
        <Textarea
          aria-label={say("propertyValue")}
          value={text}
          autosize
          minRows={kind === "json" ? 3 : 1}
          maxRows={16}
          autoFocus={given !== undefined}
          error={fault}
          {...(kind === "json" && { styles: { input: { fontFamily: "var(--mantine-font-family-monospace)" } } })}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {refusal && (
          <Text role="alert" size="sm" c="var(--mantine-color-error)" lang="en">
            {refusal}
          </Text>
        )}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={busy}>
            {say("save")}
          </Button>
          <Button size="xs" variant="default" onClick={leave}>
            {say("cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
