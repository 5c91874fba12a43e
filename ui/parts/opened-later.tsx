import { Component, type ComponentType, lazy, type ReactNode, Suspense, useReducer, useState } from "react";
import { fetchWords } from "../words/language.ts";
import { PartMissing } from "./part-missing.tsx";

/** A module that did not come. */
class ModuleMissing extends Error {
  override readonly name = "ModuleMissing";
}

/** A component whose module is loaded when it is drawn for the first time. */
export interface OpenedLater<P> {
  (props: P): ReactNode;
  /** Loads the module before, and resolves also where it does not come: then it is asked for again when it is drawn. */
  readonly preload: () => Promise<void>;
  readonly isThere: () => boolean;
}

/**
 * A component whose module is loaded, with its words, when it is drawn for the first time: for what opens over a screen or
 * behind a tab, so that the screen itself shows sooner. Until then `waiting` stands in its place, and nothing without it. Where the module
 * does not come, that is said, and it is asked for again when the person wishes or the service is back; `isPage` says so
 * where the part stands for a whole page.
 */
export function openedLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => null,
  isPage = false,
): OpenedLater<P> {
  // The types of `lazy` ask for what a component may have beside its props, which none of ours has.
  let loaded: ComponentType<object> | undefined;
  let hasFailed = false;
  const fetched = async (): Promise<ComponentType<object>> => {
    try {
      const component = (await load()) as ComponentType<object>;
      await fetchWords();
      loaded = component;
      hasFailed = false;
      return component;
    } catch (cause) {
      hasFailed = true;
      throw new ModuleMissing("a part of the application did not come", { cause });
    }
  };
  const attempt = (): ComponentType<object> => lazy(async () => ({ default: await fetched() }));
  let last: ComponentType<object> | undefined;
  const newest = (): ComponentType<object> => {
    if (loaded) return loaded;
    if (!last || hasFailed) {
      hasFailed = false;
      last = attempt();
    }
    return last;
  };
  const Part = (props: P): ReactNode => {
    const [Shown, setShown] = useState(newest);
    const [tries, countTry] = useReducer((count: number) => count + 1, 0);
    const again = (): void => {
      setShown(newest);
      countTry();
    };
    return (
      <Boundary key={tries} instead={isPage ? null : waiting(props)} isPage={isPage} again={again}>
        <Suspense fallback={waiting(props)}>
          <Shown {...props} />
        </Suspense>
      </Boundary>
    );
  };
  return Object.assign(Part, {
    preload: () => fetched().then(noAnswer, noAnswer),
    isThere: () => loaded !== undefined,
  });
}

const noAnswer = (): void => undefined;

interface BoundaryProps {
  readonly instead: ReactNode;
  readonly isPage: boolean;
  readonly again: () => void;
  readonly children: ReactNode;
}

/** Catches a module that did not come, and nothing else. */
class Boundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  override readonly state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!(error instanceof ModuleMissing)) throw error;
    return (
      <>
        {this.props.instead}
        <PartMissing isPage={this.props.isPage} again={this.props.again} />
      </>
    );
  }
}
