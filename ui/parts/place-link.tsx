import { Link, type LinkProps } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";
import type { ObjectPlace } from "./object-place.ts";

interface PlaceLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly place: ObjectPlace;
  readonly ref?: Ref<HTMLAnchorElement>;
}

/** A link to the place of an object. */
export function PlaceLink({ place, ...props }: PlaceLinkProps): ReactNode {
  // The router's types know its addresses one by one; a place is one of them.
  const link = { ...place, ...props } as LinkProps;
  return <Link {...link} />;
}
