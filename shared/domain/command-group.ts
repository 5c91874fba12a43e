/** A group of actions as the command line writes it, which reads the singular and the plural of each. */
export function commandGroup(group: string): string {
  return group === "model" ? "models" : group;
}
