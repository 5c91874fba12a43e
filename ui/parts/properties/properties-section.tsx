import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { PropertyEdit } from "../../api/property-edit.ts";
import { useStructureWords } from "../../words/structure.ts";
import { KeyText } from "../key-text.tsx";
import { openedLater } from "../opened-later.tsx";
import { refusalOf } from "../refusal.ts";
import { Section } from "../section.tsx";
import styles from "./properties.module.css";

const PropertyForm = openedLater(async () => (await import("./property-form.tsx")).PropertyForm);

interface PropertiesSectionProps {
  readonly properties: Readonly<Record<string, unknown>> | undefined;
  /** Absent where the person may not write. */
  readonly edit?: PropertyEdit | undefined;
  readonly level?: 2 | 3;
}

/** The properties of an object: named JSON values, added, changed and taken away in place. */
export function PropertiesSection({ properties = {}, edit, level }: PropertiesSectionProps): ReactNode {
  const say = useStructureWords();
  const [open, setOpen] = useState<{ readonly name?: string }>();
  const [refusal, setRefusal] = useState<string>();
  const names = Object.keys(properties).toSorted();
  const remove = (name: string): void => {
    setRefusal(undefined);
    edit?.remove(name).catch((error: unknown) => setRefusal(refusalOf(error)));
  };
  const form = (name?: string): ReactNode =>
    edit && (
      <PropertyForm
        {...(name !== undefined && { name, value: properties[name] })}
        save={(given, value) => edit.save(given, value, properties[given])}
        leave={() => setOpen(undefined)}
      />
    );
  return (
    <Section
      title={say("properties")}
      count={names.length}
      {...(level && { level })}
      actions={
        edit && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setOpen({})}
          >
            {say("addProperty")}
          </Button>
        )
      }
    >
      {names.length === 0 && !open && <Text c="dimmed">{say("noProperties")}</Text>}
      {names.length > 0 && (
        <dl className={styles.list}>
          {names.map((name) => (
            <div key={name} className={styles.row}>
              <dt>
                <KeyText value={name} strong />
              </dt>
              <dd>{open?.name === name ? form(name) : <ShownValue value={properties[name]} />}</dd>
              {edit && open?.name !== name && (
                <Group component="dd" gap={2} wrap="nowrap" className={styles.tools}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={say("editProperty", { name })}
                    onClick={() => setOpen({ name })}
                  >
                    <IconPencil size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={say("deleteProperty", { name })}
                    onClick={() => remove(name)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              )}
            </div>
          ))}
        </dl>
      )}
      {refusal && (
        <Text role="alert" mt="xs" size="sm" c="var(--mantine-color-error)" lang="en">
          {refusal}
        </Text>
      )}
      {open && open.name === undefined && <div className={styles.form}>{form()}</div>}
    </Section>
  );
}

function ShownValue({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value === "string" && value !== "") {
    return (
      <span lang="en" dir="auto" className={styles.text}>
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
