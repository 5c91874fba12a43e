import { Button, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { TextEdit } from "../../api/text-edit.ts";
import { useWords } from "../../words/words.ts";
import { EditableText } from "../editable-text.tsx";
import { KeyText } from "../key-text.tsx";
import { PageHeader } from "../page-header.tsx";
import styles from "./structure.module.css";

interface ObjectHeaderProps {
  /** The noun of what it is, such as "Entity". */
  readonly noun: string;
  readonly crumbs: readonly ReactNode[];
  readonly name: TextEdit;
  readonly objectKey: TextEdit;
  readonly mayName: boolean;
  readonly mayKey: boolean;
  /** Asks whether to delete it; absent where the person may not. */
  readonly remove?: (() => void) | undefined;
  readonly actions?: ReactNode;
}

/** The head of the page of an object: its name and its key, both edited where they stand. */
export function ObjectHeader(props: ObjectHeaderProps): ReactNode {
  const { noun, crumbs, name, objectKey, mayName, mayKey, remove, actions } = props;
  const say = useWords("structure");
  const hasName = name.value !== "";
  const keyShown = mayKey ? (
    <span className={hasName ? styles.key : styles.keyAlone}>
      <EditableText label={say("keyText")} edit={objectKey} mayEdit most={128} />
    </span>
  ) : (
    <KeyText value={objectKey.value} strong={!hasName} most={128} />
  );
  const nameShown = <EditableText label={say("nameText")} edit={name} mayEdit={mayName} most={200} />;
  return (
    <PageHeader
      title={name.value || objectKey.value}
      crumbs={crumbs}
      heading={hasName ? nameShown : keyShown}
      state={
        <>
          {hasName ? keyShown : mayName && <span className={styles.addName}>{nameShown}</span>}
          <Text component="span" c="dimmed" fz="sm">
            {noun}
          </Text>
        </>
      }
      actions={
        (actions || remove) && (
          <>
            {actions}
            {remove && (
              <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
                {say("delete")}
              </Button>
            )}
          </>
        )
      }
    />
  );
}
