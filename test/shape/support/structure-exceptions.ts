/** Functions over the limit of lines, as `path:name`, with the reason why they stay whole. */
export const LARGE_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["shared/actions/batch/staged-store.ts:createStagedView", "The methods of one view share its staged objects."],
  ["ui/app/palette.tsx:PaletteBody", "The field and the list of results share the chosen entry."],
  [
    "ui/parts/attributes/attributes-grid.tsx:useAttributeColumns",
    "A list of columns in their order, each a few lines.",
  ],
  [
    "ui/parts/attributes/ordered-attributes.tsx:OrderedAttributes",
    "The rows and the list of attributes to add change the same order.",
  ],
  ["ui/parts/diagram/diagram-canvas.tsx:Canvas", "The handlers of the canvas share the drawn nodes and lines."],
  ["ui/parts/grid/data-grid.tsx:DataGrid", "The rows, keys, clipboard and choice of one grid share their state."],
  ["ui/parts/text/editable-text.tsx:TextField", "The field for a line and the one for Markdown share saving and keys."],
  [
    "ui/screens/history/changes-of-version.tsx:ChangesOfVersion",
    "The lists and the panel share the chosen change of the address.",
  ],
  ["ui/screens/models/import-model.tsx:ImportModel", "One dialog, whose steps share the source and the report."],
  [
    "ui/screens/runner/action-panel.tsx:ActionPanel",
    "The form, the conditions, the calls and the result share one payload and run.",
  ],
  [
    "ui/screens/runner/action-screen.tsx:ActionScreen",
    "The address of the screen holds the payload of the form that it shows.",
  ],
  ["ui/screens/runner/batch-screen.tsx:Batch", "The entries, the conditions and the result share one run."],
  [
    "ui/screens/search/found-objects.tsx:FoundObjects",
    "The facets and the list of results share the filters of the address.",
  ],
  ["ui/screens/tags/tags-screen.tsx:TagsScreen", "The two tabs and the panel share the opened tag of the address."],
]);

/** Files under the limit of lines with a single importer, with the reason why they stay separate. */
export const SMALL_FILES: ReadonlyMap<string, string> = new Map([
  ["functions/dispatcher/invoke-worker.ts", "Loads the SDK's Lambda client, with the first job."],
  ["ui/layout/layout-worker.ts", "The entry file of a worker thread."],
  ["ui/parts/text/markdown-body.tsx", "Holds the Markdown parser, which is loaded with the first text."],
  ["ui/words/fr/words.ts", "The texts of a language are one file, loaded when it is chosen."],
]);
