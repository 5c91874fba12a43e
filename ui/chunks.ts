import type { CodeSplittingGroup } from "rolldown";

/** Files that screens share: a module goes into the first one that takes it. Other modules stay with their screen. */
export const CHUNKS: CodeSplittingGroup[] = [
  { name: "start", tags: ["$initial"] },
  {
    name: "floating",
    test: /[\\/](?:@floating-ui|Combobox|Floating|Popover|Tooltip|Select|OptionsDropdown|Menu)[\\/]/,
    minShareCount: 2,
  },
  { name: "grid", test: /[\\/](?:parts[\\/]grid|virtual-core|react-virtual)[\\/]/, minShareCount: 2 },
  { name: "common", minShareCount: 6 },
  { name: "parts", minShareCount: 3 },
];
