/** A setting that cannot be used; the message is one sentence that names it, its value and the way out. */
export class BadSetting extends Error {}
