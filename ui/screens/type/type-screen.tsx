import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useKeyEdit } from "../../api/key-edit.ts";
import { usePropertyEdit } from "../../api/property-edit.ts";
import { useRead } from "../../api/reads.ts";
import { keyRef, type RefText, refOf } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { useMemberEdit } from "../../api/text-edit.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { EditableText } from "../../parts/editable-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { PageBody } from "../../parts/page-body.tsx";
import { PastLink } from "../../parts/past-link.tsx";
import { PropertiesSection } from "../../parts/properties/properties-section.tsx";
import { About } from "../../parts/structure/about.tsx";
import { useModelCrumbs } from "../../parts/structure/model-crumbs.tsx";
import { ObjectHeader } from "../../parts/structure/object-header.tsx";
import { useWords } from "../../words/words.ts";
import { TypeUses } from "./type-uses.tsx";

const typeRoute = getRouteApi("/shell/models/$modelRef/types/$typeRef");

/** One type: what it means, and the attributes that have it. */
export function TypeScreen(): ReactNode {
  const params = typeRoute.useParams();
  const input = { modelRef: refOf(params.modelRef), typeRef: refOf(params.typeRef) };
  const read = useRead("model/type_get", input);
  return (
    <Loaded read={read} past={<PastLink modelRef={input.modelRef} objectRef={input.typeRef} />}>
      {(type, { etag }) => <Type key={type.id} type={type} etag={etag} input={input} />}
    </Loaded>
  );
}

interface TypeProps {
  readonly type: OutputOf<"model/type_get">;
  readonly etag: string | undefined;
  readonly input: { readonly modelRef: RefText; readonly typeRef: RefText };
}

function Type({ type, etag, input }: TypeProps): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const view = typeRoute.useSearch();
  const navigate = typeRoute.useNavigate();
  const crumbs = useModelCrumbs(input.modelRef, "types");
  const [deleting, setDeleting] = useState(false);
  const object = { read: "model/type_get", input, refs: input } as const;
  const name = useMemberEdit(object, "name", "model/type_update_name");
  const description = useMemberEdit(object, "description", "model/type_update_description");
  const objectKey = useKeyEdit({
    value: type.key,
    ifMatch: etag,
    write: "model/type_update_key",
    written: (value) => ({ ...input, value }),
    moved: (key) =>
      navigate({ params: (before) => ({ ...before, typeRef: keyRef(key) }), search: true, replace: true }),
  });
  const propertyEdit = usePropertyEdit(object, "model/type_update_property", "model/type_delete_property");
  return (
    <>
      <ObjectHeader
        noun={say("type")}
        crumbs={crumbs}
        name={name}
        objectKey={objectKey}
        mayName={may("model/type_update_name")}
        mayKey={may("model/type_update_key")}
        remove={may("model/type_delete") ? () => setDeleting(true) : undefined}
      />
      <PageBody>
        <About
          description={
            <EditableText
              label={say("descriptionText")}
              kind="markdown"
              edit={description}
              mayEdit={may("model/type_update_description")}
            />
          }
        />
        <TypeUses
          modelRef={input.modelRef}
          typeKey={type.key}
          view={view}
          setView={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
        />
        <PropertiesSection properties={type.properties} edit={propertyEdit} />
      </PageBody>
      {deleting && (
        <ConfirmDelete
          action="model/type_delete"
          input={input}
          ifMatch={etag}
          what={say("theType", { key: type.key })}
          close={() => setDeleting(false)}
          done={() =>
            navigate({ to: "/models/$modelRef", params: { modelRef: input.modelRef }, search: { show: "types" } })
          }
        />
      )}
    </>
  );
}
