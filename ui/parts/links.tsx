import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  Button,
  type ButtonProps,
  type AnchorProps as TextProps,
} from "@mantine/core";
import { createLink, Link, type LinkProps } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";
import { useRead } from "../api/reads.ts";
import type { RefText } from "../api/refs.ts";
import { useWords } from "../words/words.ts";
import type { ObjectPath } from "./object-path.ts";

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style"> & {
  readonly ref?: Ref<HTMLAnchorElement>;
};

const ButtonAnchor = (props: ButtonProps & AnchorProps) => <Button component="a" {...props} />;
const TextAnchor = (props: TextProps & AnchorProps) => <Anchor {...props} />;
const IconAnchor = (props: ActionIconProps & AnchorProps) => <ActionIcon component="a" {...props} />;

/** Link styled as a button. */
export const LinkButton = createLink(ButtonAnchor);

export const TextLink = createLink(TextAnchor);

/** Link styled as a button with an icon; needs a name for screen readers. */
export const IconLink = createLink(IconAnchor);

interface PathLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly path: ObjectPath;
  readonly ref?: Ref<HTMLAnchorElement>;
}

/** Link to the page of an object. */
export function PathLink({ path, ...props }: PathLinkProps): ReactNode {
  // The router types its addresses one by one; a path is one of them.
  const link = { ...path, ...props } as LinkProps;
  return <Link {...link} />;
}

interface PastLinkProps {
  readonly modelRef: RefText;
  /** The missing object; by default the model itself. */
  readonly objectRef?: RefText;
}

/** Link from a missing object to the history of its model, or to the list of models. */
export function PastLink({ modelRef, objectRef }: PastLinkProps): ReactNode {
  const say = useWords("frame");
  const { data } = useRead("model/model_get", objectRef && { modelRef });
  // The history of a deleted model can be read by its id only.
  if (objectRef === undefined ? !modelRef.startsWith("id:") : !data) {
    return (
      <Button component={Link} to="/models" variant="default">
        {say("toModels")}
      </Button>
    );
  }
  const [, name] = /^\w+:(.*)$/s.exec(objectRef ?? "") ?? [];
  const search = name === undefined ? {} : objectRef?.startsWith("id:") ? { object: name } : { q: name };
  return (
    <Button
      component={Link}
      to="/models/$modelRef/history"
      // The types of the library do not know the parameters of this address.
      params={{ modelRef } as never}
      search={search as never}
      variant="default"
    >
      {say("lookInHistory")}
    </Button>
  );
}
