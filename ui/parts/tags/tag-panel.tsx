import { Button, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { usePropertyEdit } from "../../api/property-edit.ts";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import { type TextEdit, useMemberEdit } from "../../api/text-edit.ts";
import { useTagsWords } from "../../words/tags.ts";
import styles from "../attributes/attribute-panel.module.css";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { EditableText } from "../editable-text.tsx";
import { Loaded } from "../loaded.tsx";
import { Panel } from "../panel.tsx";
import { PropertiesSection } from "../properties/properties-section.tsx";
import { Section } from "../section.tsx";
import { PageSkeleton } from "../skeletons.tsx";
import { type TagPlace, tagActions, tagRefs } from "./tag-kind.ts";
import { TagUses } from "./tag-uses.tsx";

/** A tag or a group as its own action answers it. */
interface TagBody {
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

interface TagPanelProps {
  readonly place: TagPlace;
  /** What it is called while it is not read. */
  readonly title: string;
  readonly close: () => Promise<void>;
  /** Told the new key, for an address that names it. */
  readonly moved: (key: string) => void;
}

/** The panel of one tag or tag group: its texts, where it is used, and its properties. */
export function TagPanel({ place, title, close, moved }: TagPanelProps): ReactNode {
  const read = useRead(tagActions(place).get, tagRefs(place));
  return (
    <Panel title={title} close={close} heading={<Heading place={place} title={title} moved={moved} />}>
      <Loaded read={read} skeleton={<PageSkeleton />}>
        {(_, answer) => <Details place={place} answer={answer} close={close} />}
      </Loaded>
    </Panel>
  );
}

function Heading({ place, title, moved }: Omit<TagPanelProps, "close">): ReactNode {
  const say = useTagsWords();
  const may = useMay();
  const actions = tagActions(place);
  const refs = tagRefs(place);
  const object = { read: actions.get, input: refs, refs };
  const known = useRead(actions.get, refs).data;
  const name = useMemberEdit(object, "name", actions.updateName);
  const key = useMemberEdit(object, "key", actions.updateKey);
  const keyEdit: TextEdit = {
    value: key.value,
    save: async (text, base) => {
      await key.save(text, base);
      moved(text);
    },
  };
  if (!known) return title;
  const mayName = may(actions.updateName);
  return (
    <span className={styles.texts}>
      {(name.value !== "" || mayName) && (
        <span className={name.value === "" ? styles.absent : undefined}>
          <EditableText label={say("nameText")} edit={name} mayEdit={mayName} most={200} />
        </span>
      )}
      <span className={styles.key}>
        <EditableText label={say("keyText")} edit={keyEdit} mayEdit={may(actions.updateKey)} most={128} />
      </span>
    </span>
  );
}

interface DetailsProps {
  readonly place: TagPlace;
  readonly answer: Answer<TagBody>;
  readonly close: () => Promise<void>;
}

function Details({ place, answer, close }: DetailsProps): ReactNode {
  const say = useTagsWords();
  const may = useMay();
  const [deleting, setDeleting] = useState(false);
  const { body, etag } = answer;
  const actions = tagActions(place);
  const refs = tagRefs(place);
  const object = { read: actions.get, input: refs, refs };
  const description = useMemberEdit(object, "description", actions.updateDescription);
  const propertyEdit = usePropertyEdit(object, actions.updateProperty, actions.deleteProperty);
  return (
    <>
      <Section title={say("description")} level={3}>
        <EditableText
          label={say("descriptionText")}
          kind="markdown"
          edit={description}
          mayEdit={may(actions.updateDescription)}
        />
      </Section>
      {place.kind !== "group" && <TagUses tagId={place.id} />}
      <PropertiesSection level={3} properties={body.properties} edit={propertyEdit} />
      {may(actions.delete) && (
        <Button
          mt="lg"
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setDeleting(true)}
        >
          {say("delete")}
        </Button>
      )}
      {deleting && (
        <ConfirmDelete
          action={actions.delete}
          input={refs}
          ifMatch={etag}
          what={say(place.kind === "group" ? "theGroup" : "theTag", { key: body.key })}
          close={() => setDeleting(false)}
          done={close}
        >
          <Text>{say(place.kind === "local" ? "deletedHere" : "deletedEverywhere")}</Text>
        </ConfirmDelete>
      )}
    </>
  );
}
