import { conditionsIn } from "../parts/search/conditions.ts";
import { ADMINISTRATION } from "./administration-screens.ts";
import { gridSearch } from "./grid-search.ts";
import { bareScreen, home, noSearch, screen } from "./routes.tsx";
import { number, object, oneOf, searchOf, text, texts } from "./search-params.ts";

/** The screens without the rail: their address, their module, and what may stand after `?`. */
export const BARE_SCREENS = [
  home("/models"),
  bareScreen(
    "/sign-in",
    () => import("../screens/sign-in/sign-in-screen.tsx"),
    searchOf({ to: text, at: text, channel: text, code: text, error: text }),
  ),
  bareScreen("/first-run", () => import("../screens/first-run/first-run-screen.tsx"), noSearch),
] as const;

/** The screens beside the rail, one line each: address, module, and what may stand after `?`. */
export const SCREENS = [
  screen("/actions", () => import("../screens/runner/actions-screen.tsx"), searchOf({ q: text })),
  screen(
    "/actions/$group/$action",
    () => import("../screens/runner/action-screen.tsx"),
    searchOf({ q: text, payload: object, run: number, as: oneOf("table", "json") }),
  ),
  screen("/batch", () => import("../screens/runner/batch-screen.tsx"), searchOf({ as: oneOf("table", "json") })),
  ...ADMINISTRATION,
  screen(
    "/models",
    () => import("../screens/models/models-screen.tsx"),
    searchOf({ ...gridSearch, do: oneOf("create", "import") }),
  ),
  screen(
    "/models/$modelRef",
    () => import("../screens/model/model-screen.tsx"),
    searchOf({ ...gridSearch, show: oneOf("entities", "relationships", "types"), do: oneOf("create"), of: text }),
  ),
  screen(
    "/models/$modelRef/entities/$entityRef",
    () => import("../screens/entity/entity-screen.tsx"),
    searchOf({ ...gridSearch, tab: oneOf("keys", "relationships", "properties"), attribute: text }),
  ),
  screen(
    "/models/$modelRef/entities/$entityRef/attributes/$attributeRef",
    () => import("../screens/attribute/entity-attribute-screen.tsx"),
    noSearch,
  ),
  screen(
    "/models/$modelRef/relationships/$relationshipRef",
    () => import("../screens/relationship/relationship-screen.tsx"),
    searchOf({ ...gridSearch, tab: oneOf("attributes", "properties"), attribute: text }),
  ),
  screen(
    "/models/$modelRef/relationships/$relationshipRef/attributes/$attributeRef",
    () => import("../screens/attribute/relationship-attribute-screen.tsx"),
    noSearch,
  ),
  screen(
    "/models/$modelRef/tags",
    () => import("../screens/tags/model-tags-screen.tsx"),
    searchOf({ ...gridSearch, tag: text, do: oneOf("create") }),
  ),
  screen(
    "/tags",
    () => import("../screens/tags/tags-screen.tsx"),
    searchOf({ ...gridSearch, show: oneOf("groups"), open: text, do: oneOf("create") }),
  ),
  screen("/models/$modelRef/types/$typeRef", () => import("../screens/type/type-screen.tsx"), searchOf(gridSearch)),
  screen(
    "/models/$modelRef/diagram",
    () => import("../screens/diagram/diagram-screen.tsx"),
    searchOf({ entity: text, relationship: text, focus: text, distance: number, tags: texts, view: oneOf("list") }),
  ),
  screen(
    "/models/$modelRef/history",
    () => import("../screens/history/history-screen.tsx"),
    searchOf({ version: text, change: text, q: text, kind: text, object: text, do: oneOf("release"), restore: text }),
  ),
  screen(
    "/search",
    () => import("../screens/search/search-screen.tsx"),
    searchOf({ q: text, op: oneOf("or"), where: conditionsIn, kind: texts, model: texts }),
  ),
  screen(
    "/compare",
    () => import("../screens/compare/compare-screen.tsx"),
    searchOf({
      left: text,
      leftAt: text,
      right: text,
      rightAt: text,
      scope: oneOf("structural"),
      class: texts,
      kind: texts,
      q: text,
      open: text,
      view: oneOf("diagram"),
    }),
  ),
] as const;
