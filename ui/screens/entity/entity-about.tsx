import type { ReactNode } from "react";
import { useMay } from "../../api/rights.ts";
import { useMemberEdit } from "../../api/text-edit.ts";
import { useWrite } from "../../api/writes.ts";
import { EditableText } from "../../parts/editable-text.tsx";
import { LinkText } from "../../parts/fields/link-text.tsx";
import { About } from "../../parts/structure/about.tsx";
import { TagPicker } from "../../parts/tag-picker.tsx";
import { useWords } from "../../words/words.ts";
import type { EntityProps } from "./entity-props.ts";

/** Description, tags and documentation of an entity, each edited where it stands. */
export function EntityAbout({ entity, input }: EntityProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const object = { read: "model/entity_get", input, refs: input } as const;
  const description = useMemberEdit(object, "description", "model/entity_update_description");
  const link = useMemberEdit(object, "documentationHome", "model/entity_update_documentation_link");
  const addTag = useWrite("model/entity_add_tag");
  const deleteTag = useWrite("model/entity_delete_tag");
  return (
    <About
      description={
        <EditableText
          label={say("descriptionText")}
          kind="markdown"
          edit={description}
          mayEdit={may("model/entity_update_description")}
        />
      }
      tags={
        <TagPicker
          modelRef={input.modelRef}
          tags={entity.tags}
          mayEdit={may("model/entity_add_tag")}
          add={(tagRef) => addTag.mutateAsync({ input: { ...input, tagRef } })}
          remove={(tagRef) => deleteTag.mutateAsync({ input: { ...input, tagRef } })}
        />
      }
      link={
        (link.value !== "" || may("model/entity_update_documentation_link")) && (
          <LinkText edit={link} mayEdit={may("model/entity_update_documentation_link")} />
        )
      }
    />
  );
}
