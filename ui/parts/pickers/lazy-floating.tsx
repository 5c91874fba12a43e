import { TextInput } from "@mantine/core";
import { loadLazily } from "../lazily-loaded.tsx";
import { AddTagButton } from "../tag-chip.tsx";

// The positioning library is larger than most screens.
const loadFloating = () => import("./floating.tsx");

export const MenuDropdown = loadLazily(
  async () => (await loadFloating()).MenuDropdown,
  ({ children }) => children,
);

export const ColumnsDropdown = loadLazily(
  async () => (await loadFloating()).ColumnsDropdown,
  ({ children }) => children,
);

export const CellRefusal = loadLazily(async () => (await loadFloating()).CellRefusal);

export const AddTag = loadLazily(
  async () => (await loadFloating()).AddTag,
  () => <AddTagButton isOpen={false} toggle={() => undefined} />,
);

/** Field for a ref: typing searches names and keys, and a ref can be entered directly. */
export const RefPicker = loadLazily(
  async () => (await loadFloating()).RefField,
  ({ label, value }) => <TextInput label={label} value={value} readOnly />,
);
