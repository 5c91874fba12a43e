import { TextInput } from "@mantine/core";
import { AddTagButton } from "./add-tag-button.tsx";
import { lazilyLoaded } from "./lazily-loaded.tsx";

// The library that places boxes next to their button is larger than most screens.
const loadFloating = () => import("./floating.tsx");
const loadCombobox = () => import("./combobox.tsx");

export const MenuDropdown = lazilyLoaded(
  async () => (await loadFloating()).MenuDropdown,
  ({ children }) => children,
);

export const ColumnsDropdown = lazilyLoaded(
  async () => (await loadFloating()).ColumnsDropdown,
  ({ children }) => children,
);

export const CellRefusal = lazilyLoaded(async () => (await loadFloating()).CellRefusal);

export const AddTag = lazilyLoaded(
  async () => (await loadCombobox()).AddTag,
  () => <AddTagButton isOpen={false} toggle={() => undefined} />,
);

/** A field for a ref: what is typed searches names and keys, and a ref can be typed as it is. */
export const RefPicker = lazilyLoaded(
  async () => (await loadCombobox()).RefField,
  ({ label, value }) => <TextInput label={label} value={value} readOnly />,
);
