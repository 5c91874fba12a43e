import { TextInput } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import type { RefPickerProps } from "./ref-field.tsx";

const RefField = lazy(async () => ({ default: (await import("./ref-field.tsx")).RefField }));

/** A field for a ref: what is typed searches names and keys, and a ref can be typed as it is. Loaded when one is shown. */
export function RefPicker(props: RefPickerProps): ReactNode {
  return (
    <Suspense fallback={<TextInput label={props.label} value={props.value} readOnly />}>
      <RefField {...props} />
    </Suspense>
  );
}
