import * as administration from "./administration.ts";
import * as changes from "./changes.ts";
import * as frame from "./frame.ts";
import * as structure from "./structure.ts";

/** All English texts. They define which texts another language has to have. */
export const ENGLISH = { ...administration, ...changes, ...frame, ...structure };

type English = typeof ENGLISH;

/** A namespace of texts, such as those of one screen. */
export type Space = keyof English;

/** The texts of one namespace in another language. */
export type Translation<S extends Space> = { readonly [K in keyof English[S]]: string };

/** The texts of all namespaces in one language. */
export type Translations = { readonly [S in Space]: Translation<S> };

type TextName<S extends Space> = (keyof English[S] | keyof English["common"]) & string;

/** Names of the texts of a namespace and of the common ones, without plural endings. */
export type WordName<S extends Space> =
  TextName<S> extends infer K ? (K extends `${infer Base}_${"one" | "other"}` ? Base : K) : never;
