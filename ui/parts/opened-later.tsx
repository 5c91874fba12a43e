import { type ComponentType, lazy, type ReactNode, Suspense } from "react";

/**
 * A component whose module is loaded when it is drawn for the first time: for what opens over a screen or behind a tab, so
 * that the screen itself shows sooner. Until then nothing stands in its place.
 */
export function openedLater<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  // The types of `lazy` ask for what a component may have beside its props, which none of ours has.
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }));
  return (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}
