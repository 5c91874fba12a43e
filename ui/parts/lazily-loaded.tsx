import { Button, Group } from "@mantine/core";
import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { pingService, useIsAnswering } from "../api/connection.ts";
import { useWords } from "../words/words.ts";
import { EmptyState } from "./empty-state.tsx";
import styles from "./page.module.css";

class ModuleMissing extends Error {
  override readonly name = "ModuleMissing";
}

interface LazilyLoaded<P> {
  (props: P): ReactNode;
  /** Loads the module before it is drawn. Resolves also if that fails. */
  readonly preload: () => Promise<void>;
}

/** Creates a component that is loaded when first drawn, for screens and for libraries of more than 40 kB. */
export function loadLazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  renderFallback: (props: P) => ReactNode = () => null,
  isPage = false,
): LazilyLoaded<P> {
  // The types of `lazy` expect static members that our components do not have.
  let component: ComponentType<object> | undefined;
  const fetchComponent = async (): Promise<ComponentType<object>> => {
    try {
      component = (await load()) as ComponentType<object>;
      return component;
    } catch (cause) {
      throw new ModuleMissing("A part of the application could not be loaded.", { cause });
    }
  };
  const createPart = () => component ?? lazy(async () => ({ default: await fetchComponent() }));
  const Part = (props: P) => {
    const [{ Newest, tries }, setPart] = useState(() => ({ Newest: createPart(), tries: 0 }));
    // A lazy component remembers that its module was missing, so every try has its own.
    const retry = () => setPart({ Newest: createPart(), tries: tries + 1 });
    return (
      <Boundary key={tries} fallback={isPage ? null : renderFallback(props)} isPage={isPage} retry={retry}>
        <Suspense fallback={renderFallback(props)}>
          <Newest {...props} />
        </Suspense>
      </Boundary>
    );
  };
  const ignore = () => undefined;
  return Object.assign(Part, { preload: () => fetchComponent().then(ignore, ignore) });
}

interface BoundaryProps {
  readonly fallback: ReactNode;
  readonly isPage: boolean;
  readonly retry: () => void;
  readonly children: ReactNode;
}

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
  readonly isPage: boolean;
  readonly retry: () => void;
}

function PartMissing({ isPage, retry }: PartMissingProps) {
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
