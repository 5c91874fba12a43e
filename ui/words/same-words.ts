/** Words of one screen or of the frame: a flat object, with `_one` and `_other` where a count decides. */
export type Words = Readonly<Record<string, string>>;

/** What a file of words in another language has to have: a text for every name of the English one. */
export type SameWords<W extends Words> = { readonly [K in keyof W]: string };
