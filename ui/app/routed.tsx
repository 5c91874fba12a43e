import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, useEffect, useReducer } from "react";
import { router } from "./router.tsx";

/** Visits after which the router is drawn anew. */
const VISITS = 50;

/**
 * The screens by their addresses. The router sets a state of its own to the same value at each visit, which React keeps until
 * the component is drawn again: nothing else would, and a page that is left open all day would hold each of them.
 */
export function Routed(): ReactNode {
  const [, drawAnew] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    let visits = 0;
    return router.subscribe("onResolved", () => {
      visits += 1;
      if (visits % VISITS === 0) drawAnew();
    });
  }, []);
  return <RouterProvider router={router} />;
}
