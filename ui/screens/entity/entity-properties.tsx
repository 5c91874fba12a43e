import type { ReactNode } from "react";
import { usePropertyEdit } from "../../api/property-edit.ts";
import { PropertiesSection } from "../../parts/properties/properties-section.tsx";
import type { EntityProps } from "./entity-props.ts";

/** The properties of an entity. */
export function EntityProperties({ entity, input }: EntityProps): ReactNode {
  const object = { read: "model/entity_get", input, refs: input } as const;
  const edit = usePropertyEdit(object, "model/entity_update_property", "model/entity_delete_property");
  return <PropertiesSection properties={entity.properties} edit={edit} />;
}
