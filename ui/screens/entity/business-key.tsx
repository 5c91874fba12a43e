import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Attribute } from "../../api/attributes.ts";
import { type RefText, refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { type TextEdit, useTextEdit } from "../../api/text-edit.ts";
import { useValueSaver } from "../../api/value-edit.ts";
import { OrderedAttributes } from "../../parts/attributes/ordered-attributes.tsx";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { EditableText } from "../../parts/editable-text.tsx";
import { useWords } from "../../words/words.ts";
import styles from "./entity.module.css";

type Row = OutputOf<"model/business_key_list">["items"][number];
type Rows = OutputOf<"model/business_key_list">;

interface BusinessKeyProps {
  readonly businessKey: Row;
  readonly etag: string | undefined;
  readonly modelRef: RefText;
  readonly attributes: readonly Attribute[];
}

const replaced = (body: Rows, id: string, part: Partial<Row>): Rows => ({
  ...body,
  items: body.items.map((row) => (row.id === id ? { ...row, ...part } : row)),
});

/** One business key: its texts, and its participants in their order. */
export function BusinessKey({ businessKey, etag, modelRef, attributes }: BusinessKeyProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const [deleting, setDeleting] = useState(false);
  const { id, key } = businessKey;
  const input = { modelRef, businessKeyRef: `id:${id}` } as const;
  const list = { modelRef };
  const saveParticipants = useValueSaver("model/business_key_list", list, "model/business_key_update_participants");
  const place = { read: "model/business_key_list", input: list } as const;
  const find = (body: Rows): Row | undefined => body.items.find((row) => row.id === id);
  const keyEdit: TextEdit = useTextEdit({
    ...place,
    pick: (body) => find(body)?.key,
    put: (body, text) => replaced(body, id, { key: text }),
    write: "model/business_key_update_key",
    written: (value) => ({ ...input, value }),
  });
  const name = useTextEdit({
    ...place,
    pick: (body) => find(body)?.name,
    put: (body, text) => replaced(body, id, { name: text }),
    write: "model/business_key_update_name",
    written: (value) => ({ ...input, value }),
  });
  const description = useTextEdit({
    ...place,
    pick: (body) => find(body)?.description,
    put: (body, text) => replaced(body, id, { description: text }),
    write: "model/business_key_update_description",
    written: (value) => ({ ...input, value }),
  });
  const mayName = may("model/business_key_update_name");
  return (
    <article className={styles.card} data-row data-key={key} aria-label={say("theBusinessKey", { key })}>
      <div className={styles.cardHead}>
        <h3 className={styles.mono}>
          <EditableText
            label={say("keyText")}
            edit={keyEdit}
            mayEdit={may("model/business_key_update_key")}
            most={128}
          />
        </h3>
        {(name.value !== "" || mayName) && (
          <span>
            <EditableText label={say("nameText")} edit={name} mayEdit={mayName} most={200} />
          </span>
        )}
        {may("model/business_key_delete") && (
          <ActionIcon
            className={styles.cardAction}
            variant="subtle"
            color="gray"
            aria-label={say("deleteBusinessKey", { key })}
            onClick={() => setDeleting(true)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </div>
      <OrderedAttributes
        label={key}
        refs={businessKey.participants}
        attributes={attributes}
        empty={say("noParticipants")}
        save={
          may("model/business_key_update_participants")
            ? (refs, base) =>
                saveParticipants<readonly string[]>(
                  {
                    pick: (body) => find(body)?.participants ?? [],
                    put: (body, participants) => replaced(body, id, { participants: [...participants] }),
                    written: (next) => ({ ...input, value: next.map(refOf) }),
                  },
                  refs,
                  base,
                )
            : undefined
        }
      />
      {(description.value !== "" || may("model/business_key_update_description")) && (
        <EditableText
          label={say("descriptionText")}
          kind="markdown"
          edit={description}
          mayEdit={may("model/business_key_update_description")}
        />
      )}
      {deleting && (
        <ConfirmDelete
          action="model/business_key_delete"
          input={input}
          ifMatch={etag}
          what={say("theBusinessKey", { key })}
          close={() => setDeleting(false)}
          done={async () => setDeleting(false)}
        />
      )}
    </article>
  );
}
