/** English words of deleting. */
export const deleting = {
  title: "Delete {{what}}",
  alone: "Nothing else goes with {{what}}.",
  together_one: "{{count}} other thing goes with it:",
  together_other: "{{count}} other things go with it:",
  others_one: "and {{count}} more",
  others_other: "and {{count}} more",
  remains: "stays, without it",
  confirm: "Delete {{what}}",
  confirmAttributes_one: "Delete {{what}} and {{count}} attribute",
  confirmAttributes_other: "Delete {{what}} and {{count}} attributes",
  confirmWith_one: "Delete {{what}} and {{count}} more",
  confirmWith_other: "Delete {{what}} and {{count}} more",
  keep: "Keep it",
  close: "Close",
} as const;
