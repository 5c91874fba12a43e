import { expect, test } from "vitest";
import { LIMITS, PROPERTY_LIMITS, SWEEP } from "../../shared/domain/limits.ts";
import { useWorld } from "../actions/support/checked-world.ts";
import { EDGES } from "./support/limit-edges.ts";
import { sources } from "./support/sources.ts";

const world = useWorld();

/** Limits that `dispatch` does not check, by the test that names each and tests it at its edge. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "test/actions/auth-role.test.ts": ["roles"],
  "test/actions/scopes.test.ts": ["scopedRoles"],
  "test/actions/auth-token.test.ts": ["apiTokens", "apiTokenDays", "apiTokenDefaultDays"],
  "test/actions/auth-token-bounds.test.ts": ["apiTokenModels"],
  "test/actions/auth-session.test.ts": ["endedSessions", "sessionScanned"],
  "test/identity/last-seen.test.ts": ["seenMinutes", "seenDays", "seenMs"],
  "test/identity/login-attempts.test.ts": ["freeLoginFailures", "loginWaitSeconds", "loginFailureHours"],
  "test/identity/login-networks.test.ts": ["loginFailuresPerHour", "networkFailuresPerHour", "knownNetworkDays"],
  "test/identity/cognito-faults.test.ts": ["cognitoMs", "cognitoBytes"],
  "test/store/accounts/audit-list.test.ts": ["auditDays", "auditScanned"],
  "test/identity/reopen.test.ts": ["reopenedHours"],
  "test/local/long-calls.test.ts": ["sharedThreadBytes", "sharedThreadObjects", "longCalls", "longCallMegabytes"],
  "test/local/start.test.ts": ["leastTokenMinutes", "mostCallerSeconds"],
  "test/infra/settings.test.ts": ["mostTokenMinutes"],
  "test/identity/issuers/external-claims.test.ts": ["externalTokenSeconds"],
  "test/identity/issuers/key-source.test.ts": [
    ...["keySetSeconds", "keySetMaxSeconds", "keySetRetrySeconds", "keySetMs", "keySetBytes"],
  ],
  "test/http/read-body.test.ts": ["requestBytes", "queryBytes"],
  "test/http/unread-bodies.test.ts": ["shortBodyBytes"],
  "test/domain/json-faults.test.ts": ["jsonMembers"],
  "test/http/answer-response.test.ts": ["responseBytes", "compressAboveBytes"],
  "test/http/call-limits.test.ts": ["inflatedResponseBytes", "callMs", "callsAtOnce", "callsPerCaller", "callerMs"],
  "test/actions/batch-budget.test.ts": ["batchAnswerBytes", "idempotencyRecordBytes"],
  "test/http/lambda-event.test.ts": ["lambdaAnswerBytes"],
  "test/http/local-server.test.ts": ["headerBytes"],
  "test/http/connections.test.ts": [
    "connections",
    "connectionsPerAddress",
    "headersMs",
    "requestMs",
    "lingerMs",
    "deliveryMs",
    "bodiesBytes",
  ],
  "test/store/read/model-cache.test.ts": ["cachedObjects", "cachedMs", "settledMs"],
  "test/identity/caller-cache.test.ts": ["keptCallers"],
  "test/store/table/retry.test.ts": ["retryTokens", "successesPerRetryToken"],
  "test/store/jobs/job-store.test.ts": ["openJobsPerActor", "openJobs"],
  "test/store/jobs/jobs.test.ts": ["objectsPerCall", "jobLeaseMs", "jobWorkers", "jobDays"],
  "test/actions/imported-tags.test.ts": ["importedGlobalTags"],
  "test/actions/dry-run-rows.test.ts": ["listedChanges"],
  "test/actions/apply.test.ts": ["plannedSteps"],
  "test/cli/apply-markdown.test.ts": ["commentBytes"],
  "test/formats/writing/dictionaries.test.ts": ["diagramBoxes", "diagramLines"],
  "test/actions/import-into.test.ts": ["conflictRows", "conflictCharacters", "modelSources"],
  "test/actions/removed.test.ts": ["removedRows"],
  "test/actions/undo.test.ts": ["undoneChanges", "undoneRevisions"],
  "test/formats/table-schema.test.ts": ["importProblems", "objectsPerJob"],
  "test/domain/warnings.test.ts": ["importWarningBytes", "warningPointers", "warningDetails"],
  "test/formats/faulty-source.test.ts": [
    ...["sourceBytes", "sourceRatio", "sourceRedirects", "sourceConnectMs", "sourceTotalMs"],
  ],
  "test/formats/source-text.test.ts": ["yamlBytes", "yamlAliases", "yamlAnchors"],
  "test/formats/dbml.test.ts": ["dbmlBytes", "dbmlPartialCharacters", "dbmlEnumCharacters"],
  "test/formats/sql-statements.test.ts": ["sqlTokens"],
  "test/formats/hostile-sql.test.ts": ["sqlColumns", "sqlWalked"],
  "test/formats/normal-form/normal-form.test.ts": ["sqlExpressionDepth"],
  "test/formats/repeated-parts.test.ts": ["madeCharacters"],
  "test/formats/hostile-refs.test.ts": ["copiedMembers"],
  "test/domain/likely-renames.test.ts": ["likelyRenamePairs"],
  "test/formats/schema-files.test.ts": ["sourceFiles"],
  "test/actions/tag.test.ts": ["tagsPerObject"],
  "test/search/memory-index.test.ts": ["searchObjects", "searchedModels"],
  "test/store/jobs/predicted-time.test.ts": ["callStagingMs", "handOverMs"],
  "test/store/table/batch-writes.test.ts": ["partitionUnits"],
  "test/store/commit/transaction-sizes.test.ts": ["logBytes", "transactionItems", "transactionBytes"],
  "test/actions/changes-since.test.ts": ["notedChanges"],
  "test/store/log/blobs.test.ts": ["blobChunkBytes"],
  "test/store/read/past-snapshots.test.ts": ["snapshotCommits"],
  "test/domain/linear-pattern.test.ts": ["patternSteps", "patternDepth", "patternWork"],
  "test/actions/property-definition.test.ts": ["propertyDefinitions", "propertySchemaBytes", "propertySchemaDepth"],
  "test/store/support/swept.ts": ["generationMs", "secondLookMs"],
  "test/store/publish/publication.test.ts": ["stagingMs"],
};

const NAMES = [LIMITS, PROPERTY_LIMITS, SWEEP].flatMap((table) => Object.keys(table));
const NAMED = Object.entries(ELSEWHERE).flatMap(([path, names]) => names.map((name) => [name, path] as const));

test.each(Object.keys(EDGES))("a limit of a call %s accepts the limit, and refuses one more", async (name) => {
  await EDGES[name]?.(world);
});

test.each(NAMED)("another limit %s is tested at its edge by %s", (name, path) => {
  const text = sources().find((s) => s.path === path)?.text ?? "";
  expect(new RegExp(`\\b${name}\\b`).test(text), `${path} tests ${name}`).toBe(true);
});

test("every limit has one test, here or elsewhere", () => {
  expect([...Object.keys(EDGES), ...NAMED.map(([name]) => name)].sort()).toEqual(NAMES.sort());
});
