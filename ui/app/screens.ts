import { readConditions } from "../parts/search/conditions.ts";
import { createBareRoute, createHomeRoute, createScreenRoute } from "./routes.tsx";
import { gridSearch, readNumber, readObject, readOneOf, readText, readTexts } from "./search-params.ts";

const loadAdministration = () => import("../screens/administration/administration-lists.tsx");

const ADMINISTRATION = [
  createScreenRoute("/jobs", async () => (await import("../screens/jobs/jobs-screen.tsx")).JobsScreen, {
    job: readText,
  }),
  createScreenRoute(
    "/administration/people",
    async () => (await import("../screens/administration/people-screen.tsx")).PeopleScreen,
    {
      ...gridSearch,
      of: readOneOf("services"),
      actor: readText,
      do: readOneOf("create", "create-service"),
    },
  ),
  createScreenRoute("/administration/roles", async () => (await loadAdministration()).RolesScreen, {
    ...gridSearch,
    role: readText,
    do: readOneOf("create"),
  }),
  createScreenRoute("/administration/tokens", async () => (await loadAdministration()).TokensScreen, {
    ...gridSearch,
    of: readOneOf("all"),
    do: readOneOf("create"),
  }),
  createScreenRoute("/administration/properties", async () => (await loadAdministration()).PropertiesScreen, {
    ...gridSearch,
    definition: readText,
    do: readOneOf("create"),
  }),
  createScreenRoute("/administration/issuers", async () => (await loadAdministration()).IssuersScreen, gridSearch),
  createScreenRoute(
    "/administration/audit",
    async () => (await import("../screens/administration/audit-screen.tsx")).AuditScreen,
    {
      act: readText,
      outcome: readOneOf("ok", "refused"),
      actor: readText,
      from: readText,
      until: readText,
      entry: readText,
    },
  ),
] as const;

const loadAttributes = () => import("../screens/objects/attribute-screens.tsx");
const loadTags = () => import("../screens/tags/tags-screen.tsx");
const loadRunner = () => import("../screens/runner/action-screen.tsx");
const loadSignIn = () => import("../screens/sign-in/sign-in-screen.tsx");

/** Screens without the rail: address, module and query parameters. */
export const BARE_SCREENS = [
  createHomeRoute("/models"),
  createBareRoute("/sign-in", async () => (await loadSignIn()).SignInScreen, {
    to: readText,
    at: readText,
    channel: readText,
    code: readText,
    error: readText,
  }),
  createBareRoute("/first-run", async () => (await loadSignIn()).FirstRunScreen, {}),
] as const;

/** Screens with the rail: address, module and query parameters. */
export const SCREENS = [
  createScreenRoute("/actions", async () => (await loadRunner()).ActionsScreen, { q: readText }),
  createScreenRoute("/actions/$group/$action", async () => (await loadRunner()).ActionScreen, {
    q: readText,
    payload: readObject,
    run: readNumber,
    as: readOneOf("table", "json"),
  }),
  createScreenRoute("/batch", async () => (await import("../screens/runner/batch-screen.tsx")).BatchScreen, {
    as: readOneOf("table", "json"),
  }),
  ...ADMINISTRATION,
  createScreenRoute("/models", async () => (await import("../screens/models/models-screen.tsx")).ModelsScreen, {
    ...gridSearch,
    do: readOneOf("create", "import"),
  }),
  createScreenRoute("/models/$modelRef", async () => (await import("../screens/model/model-screen.tsx")).ModelScreen, {
    ...gridSearch,
    show: readOneOf("entities", "relationships", "types"),
    do: readOneOf("create"),
    of: readText,
  }),
  createScreenRoute(
    "/models/$modelRef/entities/$entityRef",
    async () => (await import("../screens/objects/entity-screen.tsx")).EntityScreen,
    { ...gridSearch, tab: readOneOf("keys", "relationships", "properties"), attribute: readText },
  ),
  createScreenRoute(
    "/models/$modelRef/entities/$entityRef/attributes/$attributeRef",
    async () => (await loadAttributes()).EntityAttributeScreen,
    {},
  ),
  createScreenRoute(
    "/models/$modelRef/relationships/$relationshipRef",
    async () => (await import("../screens/objects/relationship-screen.tsx")).RelationshipScreen,
    { ...gridSearch, tab: readOneOf("attributes", "properties"), attribute: readText },
  ),
  createScreenRoute(
    "/models/$modelRef/relationships/$relationshipRef/attributes/$attributeRef",
    async () => (await loadAttributes()).RelationshipAttributeScreen,
    {},
  ),
  createScreenRoute("/models/$modelRef/tags", async () => (await loadTags()).ModelTagsScreen, {
    ...gridSearch,
    tag: readText,
    do: readOneOf("create"),
  }),
  createScreenRoute("/tags", async () => (await loadTags()).TagsScreen, {
    ...gridSearch,
    show: readOneOf("groups"),
    open: readText,
    do: readOneOf("create"),
  }),
  createScreenRoute(
    "/models/$modelRef/types/$typeRef",
    async () => (await import("../screens/objects/type-screen.tsx")).TypeScreen,
    gridSearch,
  ),
  createScreenRoute(
    "/models/$modelRef/diagram",
    async () => (await import("../screens/diagram/diagram-screen.tsx")).DiagramScreen,
    {
      entity: readText,
      relationship: readText,
      focus: readText,
      distance: readNumber,
      tags: readTexts,
      view: readOneOf("list"),
    },
  ),
  createScreenRoute(
    "/models/$modelRef/history",
    async () => (await import("../screens/history/history-screen.tsx")).HistoryScreen,
    {
      version: readText,
      change: readText,
      q: readText,
      kind: readText,
      object: readText,
      do: readOneOf("release"),
      restore: readText,
    },
  ),
  createScreenRoute("/search", async () => (await import("../screens/search/search-screen.tsx")).SearchScreen, {
    q: readText,
    op: readOneOf("or"),
    where: readConditions,
    kind: readTexts,
    model: readTexts,
  }),
  createScreenRoute("/compare", async () => (await import("../screens/compare/compare-screen.tsx")).CompareScreen, {
    left: readText,
    leftAt: readText,
    right: readText,
    rightAt: readText,
    scope: readOneOf("structural"),
    class: readTexts,
    kind: readTexts,
    q: readText,
    open: readText,
    view: readOneOf("diagram"),
  }),
] as const;
