import type { ValueType } from "../../domain/values/value-type.ts";

/** One declared parameter of an action. `T` is what `run` receives; absent optional parameters are undefined. */
export interface Param<T = unknown> {
  readonly type: ValueType<unknown>;
  readonly required: boolean;
  /** True where leaving it out, null or "" clears the stored value. */
  readonly clears: boolean;
  readonly description: string;
  /** Other names of the parameter; `withOtherNames` adds those that follow from a rule. */
  readonly aliases: readonly string[];
  /** Carries T for inference only; never present. */
  readonly value?: T;
}

export type Params = Readonly<Record<string, Param>>;

/** The values `run` receives for declared parameters. */
export type Values<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never };

const createParam = <T>(
  type: ValueType<unknown>,
  required: boolean,
  clears: boolean,
  description: string,
  aliases: readonly string[],
): Param<T> => ({ type, required, clears, description, aliases });

/** A parameter that has to be given. */
export function requiredParam<T>(type: ValueType<T>, description: string, ...aliases: string[]): Param<T> {
  return createParam<T>(type, true, false, description, aliases);
}

/** A parameter that may be left out. */
export function optionalParam<T>(type: ValueType<T>, description: string, ...aliases: string[]): Param<T | undefined> {
  return createParam<T | undefined>(type, false, false, description, aliases);
}

/** A parameter whose absence clears the stored value. */
export function clearableParam<T>(type: ValueType<T>, description: string, ...aliases: string[]): Param<T | undefined> {
  return createParam<T | undefined>(type, false, true, description, aliases);
}
