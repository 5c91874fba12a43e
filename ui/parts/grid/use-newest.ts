import { useLayoutEffect, useRef, useState } from "react";

type Functions<T> = { readonly [K in keyof T]: (...given: never[]) => unknown };

/** An object that stays the same while its functions do what the newest ones given do: for parts that are drawn once. */
export function useNewest<T extends Functions<T>>(newest: T): T {
  const current = useRef(newest);
  useLayoutEffect(() => {
    current.current = newest;
  });
  const [same] = useState(() => {
    const names = Object.keys(newest) as (keyof T)[];
    const calls = names.map((name) => [name, (...given: never[]) => current.current[name](...given)]);
    return Object.fromEntries(calls) as T;
  });
  return same;
}
