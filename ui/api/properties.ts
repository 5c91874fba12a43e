import type { InputOf } from "./service.ts";

/** The value of a property: any JSON. */
export type PropertyValue = InputOf<"model/entity_update_property">["value"];
