import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { TextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useWords } from "../../words/words.ts";
import { Facts } from "../facts.tsx";
import { PageHeader } from "../page.tsx";
import { EditableText } from "../text/editable-text.tsx";
import { KeyText } from "../text/key-text.tsx";
import styles from "./structure.module.css";

interface HeaderTexts {
  readonly name: TextEdit;
  readonly objectKey: TextEdit;
}

interface ObjectHeaderProps extends HeaderTexts {
  readonly noun: string;
  readonly crumbs: readonly ReactNode[];
  readonly actions?: ReactNode;
}

/** Head of the page of an object: name and key, both edited in place. */
export function ObjectHeader(props: ObjectHeaderProps): ReactNode {
  const { noun, crumbs, name, objectKey, actions } = props;
  const say = useWords("structure");
  const hasName = name.value !== "";
  const keyElement = objectKey.mayEdit ? (
    <span className={hasName ? styles.key : "shrink mono break"}>
      <EditableText label={say("keyText")} edit={objectKey} most={128} />
    </span>
  ) : (
    <KeyText value={objectKey.value} strong={!hasName} most={128} />
  );
  const nameElement = <EditableText label={say("nameText")} edit={name} most={200} />;
  return (
    <PageHeader
      title={name.value || objectKey.value}
      crumbs={crumbs}
      heading={hasName ? nameElement : keyElement}
      state={
        <>
          {hasName ? keyElement : name.mayEdit && <span className="small regular">{nameElement}</span>}
          <span className="small quiet">{noun}</span>
        </>
      }
      actions={actions}
    />
  );
}

/** Name and key in the head of a panel, both edited in place. */
export function PanelTexts({ name, objectKey }: HeaderTexts): ReactNode {
  const say = useWords("structure");
  return (
    <span className={styles.texts}>
      {(name.value !== "" || name.mayEdit) && (
        <span className={name.value === "" ? styles.absent : undefined}>
          <EditableText label={say("nameText")} edit={name} most={200} />
        </span>
      )}
      <span className={styles.panelKey}>
        <EditableText label={say("keyText")} edit={objectKey} most={128} />
      </span>
    </span>
  );
}

type ModelList = "entities" | "relationships" | "types";

/** Returns the links to a model and optionally one of its lists, outermost first. */
export function useModelCrumbs(modelRef: string, list?: ModelList): readonly ReactNode[] {
  const say = useWords("structure");
  const { data } = useRead("model/model_get", { modelRef: toRef(modelRef) });
  const model = data?.body;
  const crumbs = [
    <Link key="models" to="/models">
      {say("models")}
    </Link>,
    <Link key="model" to="/models/$modelRef" params={{ modelRef }}>
      <bdi lang="en">{model ? model.name || model.key : modelRef.replace(/^key:/, "")}</bdi>
    </Link>,
  ];
  if (list === undefined) return crumbs;
  return [
    ...crumbs,
    <Link key="list" to="/models/$modelRef" params={{ modelRef }} search={{ show: list }}>
      {say(list)}
    </Link>,
  ];
}

interface AboutProps {
  readonly description: ReactNode;
  readonly tags?: ReactNode;
  readonly link?: ReactNode;
}

/** Description, tags and documentation link at the top of the page of an object. */
export function About({ description, tags, link }: AboutProps): ReactNode {
  const say = useWords("structure");
  return (
    <div className={styles.about}>
      <div className={styles.description}>{description}</div>
      <Facts className={styles.facts} facts={{ [say("tags")]: tags, [say("documentation")]: link }} />
    </div>
  );
}

/** Link to external documentation: the address to edit, and an icon that opens it. */
export function LinkText({ edit }: { readonly edit: TextEdit }): ReactNode {
  const say = useWords("structure");
  // Only schemes that a page can open become links.
  const isLink = /^(?:https?|ftp|mailto):/i.test(edit.value);
  return (
    <span style={{ display: "inline-flex", gap: 8, alignItems: "center", overflowWrap: "anywhere" }}>
      <EditableText label={say("linkText")} edit={edit} />
      {isLink && (
        <Anchor
          href={edit.value}
          target="_blank"
          rel="noreferrer noopener nofollow"
          aria-label={say("openDocumentation")}
          display="inline-flex"
        >
          <IconExternalLink size={16} aria-hidden />
        </Anchor>
      )}
    </span>
  );
}
