/** The modules of a chunk: those that a pattern or a test knows, and that so many screens and later parts need. */
interface ChunkOfModules {
  readonly name: string;
  readonly test: (id: string) => boolean;
  readonly minShareCount: number;
}

const of =
  (...patterns: readonly RegExp[]) =>
  (id: string) =>
    patterns.some((pattern) => pattern.test(id));

/** Modules of components of Mantine. */
const mantine = (...names: readonly string[]): RegExp =>
  new RegExp(`[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/](?:components|utils)[\\\\/](?:${names.join("|")})[\\\\/]`);

const isOurs = of(/[\\/](?:ui[\\/](?:api|app|layout|parts|words)|client|shared[\\/]domain)[\\/]/);
const isTable = of(/[\\/]@tanstack[\\/](?:react-)?virtual/, /[\\/]ui[\\/]parts[\\/]grid[\\/]/);
const isDialog = of(
  mantine("Drawer", "Modal", "ModalBase"),
  /[\\/](?:react-remove-scroll|react-style-singleton|use-(?:sidecar|callback-ref))/,
);
const isChoice = of(
  /[\\/]@floating-ui[\\/]/,
  mantine("Combobox", "Floating", "FloatingIndicator", "FocusTrap", "Overlay", "Popover", "Portal", "ScrollArea"),
  mantine("SegmentedControl", "Select", "Switch", "Table", "Textarea", "Tooltip"),
);
const isMenu = of(mantine("Menu"));

/**
 * What screens share, in few files that compress well: a module is in the first of these chunks that takes it, and what
 * fewer need stays beside its screen. A chunk holds what is needed together, since whoever needs one module of it loads all.
 */
export const CHUNKS: readonly ChunkOfModules[] = [
  {
    name: "start",
    test: of(
      /preload-helper|use-disclosure|use-local-storage|units-converters/,
      mantine("Badge", "Checkbox", "Kbd", "NativeSelect"),
    ),
    minShareCount: 2,
  },
  { name: "start", test: of(/[\\/]@tabler[\\/]/), minShareCount: 3 },
  {
    name: "start",
    test: (id) => /node_modules/.test(id) && ![isTable, isDialog, isChoice, isMenu].some((isOther) => isOther(id)),
    minShareCount: 24,
  },
  {
    name: "frame",
    test: of(/[\\/]ui[\\/](?:app[\\/]|api[\\/]arrival|parts[\\/](?:address-input|download\.|icon|search))/),
    minShareCount: 2,
  },
  { name: "frame", test: isOurs, minShareCount: 20 },
  // Many parts, and of few screens.
  { name: "administration", test: of(/[\\/]ui[\\/]words[\\/](?:en[\\/])?administration/), minShareCount: 2 },
  { name: "choice", test: isChoice, minShareCount: 4 },
  { name: "dialog", test: isDialog, minShareCount: 4 },
  { name: "table", test: isTable, minShareCount: 4 },
  { name: "common", test: isOurs, minShareCount: 12 },
];
