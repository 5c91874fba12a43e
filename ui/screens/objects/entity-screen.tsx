import { IconTrash } from "@tabler/icons-react";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Attribute } from "../../api/attributes.ts";
import { type TextEdit, useSave, useTextEdit } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { type RefText, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { OrderedAttributes } from "../../parts/attributes/ordered-attributes.tsx";
import { DeleteButton } from "../../parts/dialogs/confirm-delete.tsx";
import { CreateNamed } from "../../parts/dialogs/create-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { AddButton, IconButton } from "../../parts/icon-button.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { Section } from "../../parts/page.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { EditableText } from "../../parts/text/editable-text.tsx";
import { useWords } from "../../words/words.ts";
import styles from "./entity.module.css";
import { EntityRelationships } from "./entity-relationships.tsx";
import { ObjectPage } from "./object-page.tsx";
import type { EntityProps } from "./object-props.ts";

/** Page of an entity: attributes, keys, relationships, tags and properties. */
export function EntityScreen(): ReactNode {
  const { modelRef = "", entityRef = "" } = useParams({ strict: false });
  const input = { modelRef: toRef(modelRef), entityRef: toRef(entityRef) };
  const read = useRead("model/entity_get", input);
  return (
    <ObjectPage kind="entity" modelRef={input.modelRef} objectRef={input.entityRef} input={input} read={read}>
      {(entity, attributes) => ({
        keys: <EntityKeys entity={entity} input={input} attributes={attributes} />,
        relationships: <EntityRelationships entity={entity} input={input} />,
      })}
    </ObjectPage>
  );
}

interface EntityKeysProps extends EntityProps {
  readonly attributes: readonly Attribute[];
}

function EntityKeys({ entity, input, attributes }: EntityKeysProps) {
  const say = useWords("structure");
  const may = useMay();
  const [isCreating, setIsCreating] = useState(false);
  const savePrimaryKey = useSave({
    read: "model/entity_get",
    input,
    write: "model/entity_primary_key_update",
    pick: (body) => body.primaryKey,
    put: (body, primaryKey) => ({ ...body, primaryKey: [...primaryKey] }),
    toInput: (next) => ({ ...input, attributeRef: next.map(toRef) }),
  });
  const keys = useRead("model/business_key_list", { modelRef: input.modelRef });
  return (
    <>
      <Section title={say("primaryKey")}>
        <OrderedAttributes
          label={say("primaryKey")}
          refs={entity.primaryKey}
          attributes={attributes}
          empty={say("primaryKeyAbsent")}
          save={may("model/entity_primary_key_update") ? savePrimaryKey : undefined}
        />
      </Section>
      <LoadedBody read={keys} skeleton={<TableSkeleton rows={3} />}>
        {({ items }, { etag }) => {
          const own = items.filter(({ entity: owner }) => owner === `id:${entity.id}`);
          return (
            <Section
              title={say("businessKeys")}
              count={own.length}
              actions={
                may("model/business_key_create") && (
                  <AddButton isSmall label={say("addBusinessKey")} run={() => setIsCreating(true)} />
                )
              }
            >
              {own.length === 0 && <EmptyState title={say("noBusinessKeys")} text={say("businessKeysAbsent")} />}
              {own.map((businessKey) => (
                <BusinessKey
                  key={businessKey.id}
                  businessKey={businessKey}
                  etag={etag}
                  modelRef={input.modelRef}
                  attributes={attributes}
                />
              ))}
            </Section>
          );
        }}
      </LoadedBody>
      {isCreating && <CreateBusinessKey input={input} close={() => setIsCreating(false)} />}
    </>
  );
}

interface CreateBusinessKeyProps extends Pick<EntityProps, "input"> {
  readonly close: () => void;
}

function CreateBusinessKey({ input, close }: CreateBusinessKeyProps) {
  const say = useWords("structure");
  const write = useWrite("model/business_key_create");
  return (
    <CreateNamed
      title={say("addBusinessKey")}
      keyParameter="key"
      close={close}
      create={async (key, texts) => {
        await write.mutateAsync({ input: { ...input, key, participants: [], ...texts } });
        close();
      }}
    />
  );
}

type Row = OutputOf<"model/business_key_list">["items"][number];
type Rows = OutputOf<"model/business_key_list">;

interface BusinessKeyProps {
  readonly businessKey: Row;
  readonly etag: string | undefined;
  readonly modelRef: RefText;
  readonly attributes: readonly Attribute[];
}

const replaceKey = (body: Rows, id: string, part: Partial<Row>): Rows => ({
  ...body,
  items: body.items.map((row) => (row.id === id ? { ...row, ...part } : row)),
});

function BusinessKey({ businessKey, etag, modelRef, attributes }: BusinessKeyProps) {
  const say = useWords("structure");
  const may = useMay();
  const { id, key } = businessKey;
  const input = { modelRef, businessKeyRef: `id:${id}` } as const;
  const list = { modelRef };
  const find = (body: Rows) => body.items.find((row) => row.id === id);
  const useText = (field: "key" | "name" | "description"): TextEdit =>
    useTextEdit({
      read: "model/business_key_list",
      input: list,
      pick: (body) => find(body)?.[field],
      put: (body, text) => replaceKey(body, id, { [field]: text }),
      write: `model/business_key_update_${field}` as const,
      toInput: (value) => ({ ...input, value }),
    });
  const saveParticipants = useSave({
    read: "model/business_key_list",
    input: list,
    write: "model/business_key_update_participants",
    pick: (body): readonly string[] => find(body)?.participants ?? [],
    put: (body, participants) => replaceKey(body, id, { participants: [...participants] }),
    toInput: (next) => ({ ...input, value: next.map(toRef) }),
  });
  const [keyEdit, name, description] = [useText("key"), useText("name"), useText("description")];
  return (
    <article className={styles.card} data-row data-key={key} aria-label={say("theBusinessKey", { key })}>
      <div className={styles.cardHead}>
        <h3 className="mono">
          <EditableText label={say("keyText")} edit={keyEdit} most={128} />
        </h3>
        {(name.value !== "" || name.mayEdit) && (
          <span>
            <EditableText label={say("nameText")} edit={name} most={200} />
          </span>
        )}
        {may("model/business_key_delete") && (
          <DeleteButton
            action="model/business_key_delete"
            input={input}
            ifMatch={etag}
            what={say("theBusinessKey", { key })}
            renderButton={(ask) => (
              <IconButton ms="auto" label={say("deleteBusinessKey", { key })} icon={IconTrash} run={ask} />
            )}
          />
        )}
      </div>
      <OrderedAttributes
        label={key}
        refs={businessKey.participants}
        attributes={attributes}
        empty={say("noParticipants")}
        save={may("model/business_key_update_participants") ? saveParticipants : undefined}
      />
      {(description.value !== "" || description.mayEdit) && (
        <EditableText label={say("descriptionText")} kind="markdown" edit={description} />
      )}
    </article>
  );
}
