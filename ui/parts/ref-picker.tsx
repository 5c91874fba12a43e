import { TextInput } from "@mantine/core";
import { openedLater } from "./opened-later.tsx";
import type { RefPickerProps } from "./ref-field.tsx";

/** A field for a ref: what is typed searches names and keys, and a ref can be typed as it is. Loaded when one is shown. */
export const RefPicker = openedLater<RefPickerProps>(
  async () => (await import("./ref-field.tsx")).RefField,
  ({ label, value }) => <TextInput label={label} value={value} readOnly />,
);
