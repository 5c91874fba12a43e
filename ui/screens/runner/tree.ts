/** What the tree of actions shows of one. */
export interface TreeAction {
  /** `<group>/<action>`. */
  readonly ref: string;
  readonly title: string;
  readonly intent: string;
}

/** Actions about one kind of object. */
export interface TreeSubject {
  /** Such as `entity attribute`; empty where they are about none. */
  readonly name: string;
  readonly actions: readonly TreeAction[];
}

/** A group of actions, as the addresses name it. */
export interface TreeGroup {
  readonly name: string;
  readonly count: number;
  readonly subjects: readonly TreeSubject[];
}

/** A row of `config/inspect_actions`, as far as the tree reads it. */
export interface ListedAction {
  readonly actionRef: string;
  readonly title: string;
  readonly semantics: { readonly intent: string; readonly subjects: readonly { readonly type: string }[] };
}

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** True where every word of a text is in the title or the name of an action. */
export function fitsWords({ actionRef, title }: Pick<ListedAction, "actionRef" | "title">, text: string): boolean {
  const within = folded(`${title} ${actionRef} ${actionRef.replaceAll(/[_/]/g, " ")}`);
  return folded(text)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** The actions that fit a text, by group and kind, each in the order in which it first comes. */
export function treeOf(actions: readonly ListedAction[], text: string): readonly TreeGroup[] {
  const groups = new Map<string, Map<string, TreeAction[]>>();
  for (const action of actions) {
    if (!fitsWords(action, text)) continue;
    const { actionRef: ref, title, semantics } = action;
    const group = ref.slice(0, ref.indexOf("/"));
    const subject = (semantics.subjects[0]?.type ?? "").replaceAll("_", " ");
    const subjects = groups.get(group) ?? new Map<string, TreeAction[]>();
    groups.set(group, subjects);
    subjects.set(subject, [...(subjects.get(subject) ?? []), { ref, title, intent: semantics.intent }]);
  }
  return [...groups].map(([name, subjects]) => ({
    name,
    count: [...subjects.values()].reduce((sum, list) => sum + list.length, 0),
    // Those about no kind come last.
    subjects: [...subjects]
      .map(([subject, list]) => ({ name: subject, actions: list }))
      .sort((a, b) => Number(a.name === "") - Number(b.name === "")),
  }));
}
