/** English words of the dialog that downloads. */
export const download = {
  model: "Download model",
  difference: "Download difference",
  close: "Close",
  cancel: "Cancel",
  format: "Format",
  document: "the whole model in the service’s own form, which import gives back",
  state: "State",
  now: "Newest state",
  download: "Download",
  downloaded: "{{name}} is downloaded",
  characters: "{{count}} characters",
  noWarnings: "The file has all of it; no warnings.",
  another: "Another format",
} as const;
