import type { ReactNode } from "react";
import type { PropertyValue } from "../../api/properties.ts";
import { useMay } from "../../api/rights.ts";
import { useValueSaver } from "../../api/value-edit.ts";
import { useWrite } from "../../api/writes.ts";
import { PropertiesSection } from "../../parts/properties/properties-section.tsx";
import type { EntityProps } from "./entity-props.ts";

/** The properties of an entity. */
export function EntityProperties({ entity, input }: EntityProps): ReactNode {
  const may = useMay();
  const save = useValueSaver("model/entity_get", input, "model/entity_update_property");
  const remove = useWrite("model/entity_delete_property");
  return (
    <PropertiesSection
      properties={entity.properties}
      edit={
        may("model/entity_update_property")
          ? {
              save: (property, value, base) =>
                save<unknown>(
                  {
                    pick: (body) => body.properties?.[property],
                    written: (next) => ({ ...input, property, value: next as PropertyValue }),
                  },
                  value,
                  base,
                ),
              remove: async (property) => void (await remove.mutateAsync({ input: { ...input, property } })),
            }
          : undefined
      }
    />
  );
}
