import { describe, expect, test } from "vitest";
import { LIMITS, PROPERTY_LIMITS, SWEEP } from "../../shared/domain/limits.ts";
import { useWorld } from "../actions/support/checked-world.ts";
import { EDGES } from "./support/limit-edges.ts";
import { sources } from "./support/sources.ts";

const world = useWorld();

/** Limits that lie outside of `dispatch`: the test that holds each at its edge, which names it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  roles: "test/actions/auth-role.test.ts",
  scopedRoles: "test/actions/scopes.test.ts",
  apiTokens: "test/actions/auth-token.test.ts",
  apiTokenModels: "test/actions/auth-token-bounds.test.ts",
  apiTokenDays: "test/actions/auth-token.test.ts",
  apiTokenDefaultDays: "test/actions/auth-token.test.ts",
  seenMinutes: "test/identity/last-seen.test.ts",
  seenDays: "test/identity/last-seen.test.ts",
  seenMs: "test/identity/last-seen.test.ts",
  freeLoginFailures: "test/identity/login-attempts.test.ts",
  loginWaitSeconds: "test/identity/login-attempts.test.ts",
  loginFailureHours: "test/identity/login-attempts.test.ts",
  loginFailuresPerHour: "test/identity/login-networks.test.ts",
  knownNetworkDays: "test/identity/login-networks.test.ts",
  cognitoMs: "test/identity/cognito-faults.test.ts",
  cognitoBytes: "test/identity/cognito-faults.test.ts",
  auditDays: "test/store/accounts/audit-list.test.ts",
  auditScanned: "test/store/accounts/audit-list.test.ts",
  reopenedHours: "test/identity/reopen.test.ts",
  leastTokenMinutes: "test/local/start.test.ts",
  mostTokenMinutes: "test/infra/settings.test.ts",
  externalTokenSeconds: "test/identity/issuers/external-claims.test.ts",
  keySetSeconds: "test/identity/issuers/key-source.test.ts",
  keySetMaxSeconds: "test/identity/issuers/key-source.test.ts",
  keySetRetrySeconds: "test/identity/issuers/key-source.test.ts",
  keySetMs: "test/identity/issuers/key-source.test.ts",
  keySetBytes: "test/identity/issuers/key-source.test.ts",
  requestBytes: "test/http/read-body.test.ts",
  shortBodyBytes: "test/http/unread-bodies.test.ts",
  jsonMembers: "test/domain/json-faults.test.ts",
  queryBytes: "test/http/read-body.test.ts",
  responseBytes: "test/http/answer-response.test.ts",
  inflatedResponseBytes: "test/http/call-limits.test.ts",
  batchAnswerBytes: "test/actions/batch-budget.test.ts",
  idempotencyRecordBytes: "test/actions/batch-budget.test.ts",
  lambdaAnswerBytes: "test/http/lambda-event.test.ts",
  headerBytes: "test/http/local-server.test.ts",
  connections: "test/http/connections.test.ts",
  headersMs: "test/http/connections.test.ts",
  requestMs: "test/http/connections.test.ts",
  lingerMs: "test/http/connections.test.ts",
  deliveryMs: "test/http/connections.test.ts",
  bodiesBytes: "test/http/connections.test.ts",
  compressAboveBytes: "test/http/answer-response.test.ts",
  cachedObjects: "test/store/read/model-cache.test.ts",
  cachedMs: "test/store/read/model-cache.test.ts",
  settledMs: "test/store/read/model-cache.test.ts",
  mostCallerSeconds: "test/local/start.test.ts",
  keptCallers: "test/identity/caller-cache.test.ts",
  retryTokens: "test/store/table/retry.test.ts",
  successesPerRetryToken: "test/store/table/retry.test.ts",
  callMs: "test/http/call-limits.test.ts",
  objectsPerCall: "test/store/jobs/jobs.test.ts",
  importedGlobalTags: "test/actions/imported-tags.test.ts",
  listedChanges: "test/actions/dry-run-rows.test.ts",
  plannedSteps: "test/actions/apply.test.ts",
  commentBytes: "test/cli/apply-markdown.test.ts",
  diagramBoxes: "test/formats/writing/dictionaries.test.ts",
  diagramLines: "test/formats/writing/dictionaries.test.ts",
  conflictRows: "test/actions/import-into.test.ts",
  conflictCharacters: "test/actions/import-into.test.ts",
  modelSources: "test/actions/import-into.test.ts",
  removedRows: "test/actions/removed.test.ts",
  importProblems: "test/formats/table-schema.test.ts",
  importWarningBytes: "test/domain/warnings.test.ts",
  warningPointers: "test/domain/warnings.test.ts",
  warningDetails: "test/domain/warnings.test.ts",
  sourceBytes: "test/formats/faulty-source.test.ts",
  yamlBytes: "test/formats/source-text.test.ts",
  dbmlBytes: "test/formats/dbml.test.ts",
  dbmlPartialCharacters: "test/formats/dbml.test.ts",
  dbmlEnumCharacters: "test/formats/dbml.test.ts",
  sqlTokens: "test/formats/sql-statements.test.ts",
  sqlColumns: "test/formats/hostile-sql.test.ts",
  madeCharacters: "test/formats/repeated-parts.test.ts",
  sqlWalked: "test/formats/hostile-sql.test.ts",
  yamlAliases: "test/formats/source-text.test.ts",
  yamlAnchors: "test/formats/source-text.test.ts",
  sourceRatio: "test/formats/faulty-source.test.ts",
  sourceRedirects: "test/formats/faulty-source.test.ts",
  sourceConnectMs: "test/formats/faulty-source.test.ts",
  sourceTotalMs: "test/formats/faulty-source.test.ts",
  sourceFiles: "test/formats/schema-files.test.ts",
  tagsPerObject: "test/actions/tagging.test.ts",
  searchObjects: "test/search/memory-index.test.ts",
  searchedModels: "test/search/memory-index.test.ts",
  callStagingMs: "test/store/jobs/predicted-time.test.ts",
  handOverMs: "test/store/jobs/predicted-time.test.ts",
  partitionUnits: "test/store/table/batch-writes.test.ts",
  logBytes: "test/store/commit/transaction-sizes.test.ts",
  notedChanges: "test/actions/changes-since.test.ts",
  callsAtOnce: "test/http/call-limits.test.ts",
  transactionItems: "test/store/commit/transaction-sizes.test.ts",
  transactionBytes: "test/store/commit/transaction-sizes.test.ts",
  blobChunkBytes: "test/store/log/blobs.test.ts",
  snapshotCommits: "test/store/read/past-snapshots.test.ts",
  objectsPerJob: "test/formats/table-schema.test.ts",
  jobLeaseMs: "test/store/jobs/jobs.test.ts",
  jobWorkers: "test/store/jobs/jobs.test.ts",
  jobDays: "test/store/jobs/jobs.test.ts",
  patternSteps: "test/domain/linear-pattern.test.ts",
  patternDepth: "test/domain/linear-pattern.test.ts",
  patternWork: "test/domain/linear-pattern.test.ts",
  propertyDefinitions: "test/actions/property-definition.test.ts",
  propertySchemaBytes: "test/actions/property-definition.test.ts",
  propertySchemaDepth: "test/actions/property-definition.test.ts",
  generationMs: "test/store/support/swept.ts",
  secondLookMs: "test/store/support/swept.ts",
  stagingMs: "test/store/publish/publication.test.ts",
};

const NAMES = [LIMITS, PROPERTY_LIMITS, SWEEP].flatMap((table) => Object.keys(table));

/** Limits in neither list, in both, or in one although there is no such limit. */
function misplaced(names: readonly string[], here: readonly string[], elsewhere: readonly string[]): readonly string[] {
  const places = (name: string) => Number(here.includes(name)) + Number(elsewhere.includes(name));
  return [
    ...names.filter((name) => places(name) !== 1),
    ...[...here, ...elsewhere].filter((name) => !names.includes(name)),
  ];
}

describe("a limit of a call", () => {
  test.each(Object.keys(EDGES))("%s accepts the limit, and refuses one more", async (name) => {
    await EDGES[name]?.(world);
  });
});

describe("another limit", () => {
  test.each(Object.entries(ELSEWHERE))("%s is tested at its edge by %s", (name, path) => {
    const text = sources().find((s) => s.path === path)?.text ?? "";
    expect(new RegExp(`\\b${name}\\b`).test(text), `${path} tests ${name}`).toBe(true);
  });
});

test("every limit has its test, here or elsewhere", () => {
  expect(misplaced(NAMES, Object.keys(EDGES), Object.keys(ELSEWHERE))).toEqual([]);
});

test("a new limit without a test is found, and a test of a removed limit", () => {
  expect(misplaced(["a", "b"], ["a"], [])).toEqual(["b"]);
  expect(misplaced(["a"], ["a"], ["a"])).toEqual(["a"]);
  expect(misplaced(["a"], ["a"], ["gone"])).toEqual(["gone"]);
});
