import { stringify } from "yaml";

/** A value as YAML, without anchors and without lines that are broken for their length. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
