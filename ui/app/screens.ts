import { gridSearch } from "./grid-search.ts";
import { bareScreen, home, noSearch, screen } from "./routes.tsx";
import { oneOf, searchOf, text } from "./search-params.ts";

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
  screen(
    "/models",
    () => import("../screens/models/models-screen.tsx"),
    searchOf({ ...gridSearch, do: oneOf("create", "import") }),
  ),
  screen(
    "/models/$modelRef",
    () => import("../screens/model/model-screen.tsx"),
    searchOf({ ...gridSearch, show: oneOf("entities", "relationships", "types") }),
  ),
] as const;
