import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  Button,
  type ButtonProps,
  type AnchorProps as TextProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style"> & {
  readonly ref?: Ref<HTMLAnchorElement>;
};

const ButtonAnchor = (props: ButtonProps & AnchorProps): ReactNode => <Button component="a" {...props} />;
const TextAnchor = (props: TextProps & AnchorProps): ReactNode => <Anchor {...props} />;
const IconAnchor = (props: ActionIconProps & AnchorProps): ReactNode => <ActionIcon component="a" {...props} />;

/** A link that looks like a button. */
export const LinkButton = createLink(ButtonAnchor);

/** A link in a text or a table. */
export const TextLink = createLink(TextAnchor);

/** A link that looks like a button with a sign; it needs a name for screen readers. */
export const IconLink = createLink(IconAnchor);
