/** The key in a ref by key; any other text as it is. */
export const nameOfRef = (text: string): string => text.replace(/^key:/, "");
