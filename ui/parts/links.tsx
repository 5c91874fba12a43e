import { Button, type ButtonProps, Menu, type MenuItemProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style"> & {
  readonly ref?: Ref<HTMLAnchorElement>;
};

const ButtonAnchor = (props: ButtonProps & AnchorProps): ReactNode => <Button component="a" {...props} />;
const ItemAnchor = (props: MenuItemProps & AnchorProps): ReactNode => <Menu.Item component="a" {...props} />;

/** A link that looks like a button. */
export const LinkButton = createLink(ButtonAnchor);

/** A link in a menu. */
export const LinkItem = createLink(ItemAnchor);
