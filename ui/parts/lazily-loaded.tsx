import { Button, Group } from "@mantine/core";
import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useReducer,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { pingService, useIsAnswering } from "../api/connection.ts";
import { useWords } from "../words/words.ts";
import { EmptyState } from "./empty-state.tsx";
import { dropKeys, holdKeys } from "./held-keys.ts";
import styles from "./page.module.css";

/** Error for a module that could not be loaded. */
class ModuleMissing extends Error {
  override readonly name = "ModuleMissing";
}

/** A component whose module is loaded when it is drawn for the first time. */
export interface LazilyLoaded<P> {
  (props: P): ReactNode;
  /** Loads the module before it is needed. Resolves also if that fails; drawing the component then loads it again. */
  readonly preload: () => Promise<void>;
  readonly isLoaded: () => boolean;
}

/**
 * Creates a component whose module is loaded when it is drawn for the first time: for screens and for large libraries.
 * `waiting` is drawn until then. If the module cannot be loaded, the component says so and offers to try again. `isPage`
 * selects the form of that message for a whole page.
 */
export function loadLazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode = () => null,
  isPage = false,
): LazilyLoaded<P> {
  // The types of `lazy` expect static members that our components do not have.
  let loaded: ComponentType<object> | undefined;
  let hasFailed = false;
  const fetchComponent = async (): Promise<ComponentType<object>> => {
    try {
      loaded = (await load()) as ComponentType<object>;
      hasFailed = false;
      return loaded;
    } catch (cause) {
      hasFailed = true;
      throw new ModuleMissing("A part of the application could not be loaded.", { cause });
    }
  };
  let last: ComponentType<object> | undefined;
  const getNewest = (): ComponentType<object> => {
    if (loaded) return loaded;
    if (!last || hasFailed) {
      hasFailed = false;
      last = lazy(async () => ({ default: await fetchComponent() }));
    }
    return last;
  };
  const Part = (props: P): ReactNode => {
    const [Newest, setNewest] = useState(getNewest);
    const [tries, countTry] = useReducer((count: number) => count + 1, 0);
    const retry = (): void => {
      setNewest(getNewest);
      countTry();
    };
    return (
      <Boundary key={tries} fallback={isPage ? null : waiting(props)} isPage={isPage} retry={retry}>
        <Suspense fallback={waiting(props)}>
          <Newest {...props} />
        </Suspense>
      </Boundary>
    );
  };
  return Object.assign(Part, {
    preload: () => fetchComponent().then(ignore, ignore),
    isLoaded: () => loaded !== undefined,
  });
}

const ignore = (): void => undefined;

/** The state of a lazily loaded part that opens from a button, such as a menu. */
export interface Opened {
  readonly isOpened: boolean;
  readonly open: () => void;
  /** Properties to spread on an element around the button; they load the part before it is opened. */
  readonly near: {
    readonly ref: RefObject<HTMLSpanElement | null>;
    readonly onFocus: () => void;
    readonly onPointerOver: () => void;
  };
}

/** Opens a lazily loaded part from a button and holds the keys that are pressed before the part is drawn. */
export function useOpened<P>({ preload, isLoaded }: LazilyLoaded<P>): Opened {
  const [isOpened, setOpened] = useState(false);
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => (isOpened ? dropKeys : undefined), [isOpened]);
  const load = (): void => void (isLoaded() || preload());
  const cancel = (): void => {
    flushSync(() => setOpened(false));
    // The button was mounted again, outside of the part.
    ref.current?.querySelector("button")?.focus();
  };
  const open = (): void => {
    if (!isLoaded()) holdKeys(cancel);
    setOpened(true);
  };
  return { isOpened, open, near: { ref, onFocus: load, onPointerOver: load } };
}

interface BoundaryProps {
  readonly fallback: ReactNode;
  readonly isPage: boolean;
  readonly retry: () => void;
  readonly children: ReactNode;
}

/** Catches modules that could not be loaded; other errors pass on. */
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
        {this.props.fallback}
        <PartMissing isPage={this.props.isPage} retry={this.props.retry} />
      </>
    );
  }
}

interface PartMissingProps {
  /** True if the part is the whole page. */
  readonly isPage: boolean;
  readonly retry: () => void;
}

/** Reports a part of the page that could not be loaded. Loads it again on request, or when the service answers again. */
function PartMissing({ isPage, retry }: PartMissingProps): ReactNode {
  const say = useWords("frame");
  const isAnswering = useIsAnswering();
  const wasLost = useRef(false);
  const onBack = useEffectEvent(retry);
  useEffect(() => void pingService(), []);
  useEffect(() => {
    if (isAnswering && wasLost.current) onBack();
    wasLost.current = !isAnswering;
  }, [isAnswering]);
  const actions = (
    <Group gap="xs" justify="center" wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={retry}>
        {say("tryAgain")}
      </Button>
      {isAnswering && (
        // A newer build of the application has other files.
        <Button size="compact-sm" variant="default" onClick={() => globalThis.location.reload()}>
          {say("reload")}
        </Button>
      )}
    </Group>
  );
  if (isPage)
    return (
      <div role="alert">
        <EmptyState isPage title={say("partMissing")} action={actions} />
      </div>
    );
  return (
    <div className={styles.missing} role="alert">
      <span>{say("partMissing")}</span>
      {actions}
    </div>
  );
}
