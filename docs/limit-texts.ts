import type { LIMITS, PROPERTY_LIMITS, SWEEP } from "../shared/domain/limits.ts";

/** One sentence per limit, for `docs/limits.md`; a limit without one does not compile. */
export const LIMIT_TEXTS: { readonly [L in keyof typeof LIMITS]: string } = {
  requestBytes:
    "Longest request, counted as API Gateway hands it to Lambda, which refuses 6,291,556: body, headers and query, with every quote, backslash and line break of the body as two bytes.",
  shortBodyBytes:
    "Longest body of an action that anybody may call, `auth/login` and `auth/admin_bootstrap` among them.",
  jsonDepth: "Deepest nesting of lists and objects in a request body or an import source.",
  jsonMembers:
    "Most members of all objects, and most items of all lists, in a request body or an import source; an empty one counts as one.",
  queryBytes: "Longest query string; API Gateway refuses a request line and headers of 10,240 bytes together.",
  tokenBytes: "Longest access token.",
  responseBytes: "Largest response body as it is sent; Lambda refuses more than 6 MB.",
  inflatedResponseBytes: "Largest response body before compression, where the caller accepts it compressed.",
  connections: "Most connections the local server keeps at a time; more are closed as they come.",
  connectionsPerAddress:
    "Most open connections of one address (of IPv6, one /64) to the local server, unless it is a trusted proxy; more are closed.",
  headersMs: "How long the headers of a request may take to arrive at the local server.",
  requestMs: "How long a whole request may take to arrive at the local server.",
  lingerMs: "How long a connection that the local server closes is kept for what its caller still sends.",
  deliveryMs: "How long the caller of the local server may take to receive an answer.",
  bodiesBytes:
    "Most bytes of request bodies the local server holds at a time; then 503 for every body longer than `shortBodyBytes`.",
  compressAboveBytes: "Smallest response body that is compressed.",
  keyCharacters: "Longest key.",
  nameCharacters: "Longest name.",
  descriptionBytes: "Longest description, in UTF-8.",
  urlCharacters: "Longest URL of a link or an import source.",
  constraintBytes: "Longest constraints of one attribute, as JSON in UTF-8.",
  constraintDepth: "Deepest nesting of lists and objects in constraints, themselves included.",
  patternCharacters: "Longest `pattern` in constraints.",
  versionCharacters: "Longest version label.",
  primaryKeyAttributes: "Most attributes in one primary key.",
  businessKeyParticipants: "Most attributes in one business key.",
  relationshipRoles: "Most roles of one relationship.",
  keyPairs: "Most pairs of attributes in the key pairs of one relationship.",
  tagsPerObject: "Most tags on one object.",
  searchFilters: "Most items in the filters of one search.",
  searchTags: "Most tags, keywords or formats one condition of a search may name.",
  searchCharacters: "Longest text a search looks for.",
  searchedModels: "Most models that one search names.",
  searchObjects:
    "Most objects that a process has room for in its memory to search in, a function with more or less than 512 MB in proportion, one more for every 500 characters of a long text; more are too_large unless models are named. The store of `npm start` keeps its index in its file and has room for all.",
  listedChanges: "Most changes the answer of a dry run lists.",
  conflictRows: "Most conflicts of an import into a model, or of an undo, that an answer lists; the count is of all.",
  conflictCharacters: "Longest value that a listed conflict shows, as JSON text; of a longer one that is cut off.",
  modelSources: "Most sources, by their labels, that one model keeps the last imported document of.",
  likelyRenamePairs:
    "Pairs of deleted and added objects that a comparison checks for likely renames. Lists beyond the limit are not checked.",
  plannedSteps: "Most steps of a plan that the answer of a dry run lists; the count is of all.",
  commentBytes:
    "Longest plan, or report of differences, in Markdown, in UTF-8; GitHub refuses comments of more than 65,536 characters.",
  diagramBoxes:
    "Most boxes (entities, and relationships of more than two roles) of a diagram that `model_export_as` lays out by its lines; those of a larger one stand in rows, with a warning.",
  diagramLines: "Most lines of such a diagram.",
  removedRows: "Most rows an answer lists of what went with deleted objects; the count is of all.",
  importedGlobalTags: "Most tag groups and global tags one import may make with its model.",
  objectsPerCall:
    "Most objects one batch may change. A model that is written as a whole within one call has no more either: see `callStagingMs`.",
  batchEntries: "Most entries of one batch.",
  undoneChanges: "Most changes of a model since the first revision that an undo takes back; then 413.",
  undoneRevisions: "Most revisions that an undo can name, and most items of a list of its selection.",
  batchPastReads: "Most entries of one batch that read versions, revisions or the history of models; then 413.",
  batchAnswerBytes:
    "Most bytes of the results of one batch together, as JSON; the entry that exceeds them refuses the batch with 413.",
  objectBytes: "Largest stored object; DynamoDB refuses items over 400 kB.",
  transactionItems: "Most items of one DynamoDB transaction.",
  transactionBytes: "Largest DynamoDB transaction; DynamoDB refuses 4 MB.",
  snapshotCommits: "Commits of a model after which a snapshot of it is kept, for reading past states.",
  blobChunkBytes: "Largest piece in which a long record is stored.",
  cachedObjects:
    "Most objects of models that a process keeps of what it read, a function with more or less than 512 MB in proportion; one with a long text counts as several.",
  cachedMs: "How long a process keeps what it read of a model, whether or not that changes.",
  settledMs: "Age from which a commit is taken to show to every reader.",
  pageRows: "Most rows a page of a list may ask for.",
  idempotencyKeyCharacters: "Longest idempotency key.",
  idempotencyHours: "How long an idempotency key is remembered.",
  idempotencyRecordBytes:
    "Largest answer stored for an idempotency key, as JSON, without the results of reads in a batch; a call with a larger one is refused with 413 before anything is written.",
  contentionMs: "How long a write keeps trying against concurrent writers before it answers `contention`.",
  retryTokens: "Most repeats of throttled storage calls that a process begins while none succeeds; then 429 at once.",
  successesPerRetryToken: "Storage calls that have to succeed at once for one such repeat more.",
  callMs: "How long one call may take in all; API Gateway cuts off at 30 s.",
  usernameCharacters: "Longest username.",
  loginNameCharacters:
    "Longest name `auth/login` takes; with the built-in provider none longer than a username exists.",
  passwordCharacters: "Shortest password.",
  passwordBytes: "Longest password, in UTF-8.",
  fullnameCharacters: "Longest full name.",
  bootstrapSecretCharacters: "Shortest bootstrap secret.",
  roles: "Roles of the instance, of which every call reads all.",
  scopedRoles: "Roles that one actor may have for some models only.",
  keyPatternCharacters: "Characters of a pattern of model keys.",
  askedActions: "Actions that one call of `auth/can` may ask about.",
  askedModels: "Models that one call of `auth/can` may ask about.",
  apiTokens: "API tokens that one actor has at once; expired ones do not count.",
  endedSessions:
    "Ended sessions of an actor whose tokens could still be valid. With one more, all its sessions end, and it signs in again.",
  sessionScanned: "Entries of the audit log that one call of `session_list` reads.",
  apiTokenModels: "Patterns of the models that one API token is for.",
  apiTokenDays: "Longest lifetime of an API token.",
  apiTokenDefaultDays: "Lifetime of an API token that is made without another.",
  seenMinutes:
    "How long a process keeps still about further calls of an actor it noted as seen: `lastSeenAt` is that coarse.",
  seenDays: "How long an actor's last call is remembered.",
  seenMs: "How long a call waits for the note that its actor was seen; the call goes on without it.",
  freeLoginFailures:
    "Wrong passwords in a row for one name from one address (of IPv6, one /64) before the next attempt from there has to wait: 429 with `Retry-After`.",
  loginWaitSeconds: "Longest wait after wrong passwords, in seconds; it begins at one and doubles with each.",
  loginFailureHours: "Hours after the last wrong password until all of them are forgotten.",
  loginFailuresPerHour:
    "Wrong passwords for one name in an hour, wherever they come from; then one in 36 seconds. Addresses from which the user signed in lately are not kept waiting.",
  networkFailuresPerHour:
    "Wrong passwords from one address (of IPv6, one /64) in an hour, for all names that did not sign in from there lately; then one a minute.",
  knownNetworkDays: "How long an address from which somebody signed in counts as theirs.",
  cognitoMs: "How long a Cognito user pool may take to answer a sign-in; then 503.",
  cognitoBytes: "Longest answer of a Cognito user pool to a sign-in.",
  auditDays: "How long an entry of the audit log is kept.",
  auditScanned: "Most entries of the audit log one call looks at; the `Link` header leads on.",
  reopenedHours: "How long the secret that `npm run admin:reopen` prints is good.",
  tokenSeconds: "Lifetime of a token made by `auth/login`, unless the service is told otherwise.",
  mostCallerSeconds:
    "Longest time for which `METACTION_CALLER_SECONDS` or `-c callerSeconds` may have a process keep who calls and their rights.",
  keptCallers: "Most callers that a process keeps then.",
  leastTokenMinutes: "Shortest lifetime that `METACTION_TOKEN_MINUTES` or `-c tokenMinutes` may give a token.",
  mostTokenMinutes: "Longest lifetime that they may give it.",
  tokenSkewSeconds: "How far ahead of the service's clock a token may say it was issued.",
  subjectCharacters: "Longest subject (`sub`) of a token.",
  externalTokenSeconds:
    "Longest lifetime of a token of another issuer, in seconds, unless `maxLifetimeSeconds` is set.",
  keySetSeconds:
    "Age at which an issuer's keys are fetched anew, in seconds; a withdrawn key works no longer than this.",
  keySetMaxSeconds:
    "Age at which an issuer's keys are no longer used while it cannot be reached, in seconds; then 503.",
  keySetRetrySeconds:
    "Seconds between two fetches of an issuer's keys after a failure, or for a key that is not known.",
  keySetMs: "How long one fetch of an issuer's keys or of its discovery document may take.",
  keySetBytes: "Largest key set or discovery document of an issuer.",
  sourceBytes: "Largest fetched import source, on the wire and decompressed.",
  sourceRedirects: "Most redirects followed for one import source.",
  sourceConnectMs: "How long connecting to an import source may take.",
  sourceTotalMs: "How long fetching an import source may take in all.",
  sourceFiles: "Most schema files one data package may name.",
  callStagingMs:
    "Longest predicted time of writing a model as a whole within one call: 1 s for every `partitionUnits` of its objects, which take one unit for each kilobyte begun. What is above becomes a job, before anything is written.",
  handOverMs:
    "What has to be left of the call then: a call whose time for that is up, or whose table turns out to be too slow, becomes a job as well.",
  objectsPerJob: "Most objects one job may write.",
  jobLeaseMs: "How long a worker keeps a job without a sign of life.",
  openJobsPerActor: "Most jobs of one actor that have not ended; more are refused with 429.",
  openJobs: "Most jobs of all actors that have not ended; more are refused with 429.",
  jobWorkers: "Most workers that may begin one job before it counts as failed.",
  jobDays: "How long an ended job is remembered.",
  partitionUnits:
    "Write units a second that one partition of DynamoDB takes, and so the pace at which a model is written as a whole.",
  logBytes:
    "What one call changes, before and after, as far as it lies in the log entry itself; what is larger lies in a blob beside it, and the entry names only the places.",
  notedChanges: "Most commits a failed precondition tells of, and most objects of each.",
  callsAtOnce: "Most calls a process works on at once; more are refused with 503.",
  sharedThreadBytes:
    "Bytes of the body of a call and of the models that it reads whole, up to which the local server runs it beside all other calls; a longer call runs in a thread of its own.",
  sharedThreadObjects:
    "Objects that a reader may make of a source before its call runs in a thread of its own on the local server.",
  longCalls: "Long calls that the local server runs at once; others wait for them.",
  longCallMegabytes:
    "Memory of the thread of a long call on the local server, in megabytes; a call that needs more is refused with 413.",
  callsPerCaller: "Most calls of one actor that the local server works on at once; more are refused with 429.",
  callerMs:
    "Time of the local server that the calls of one actor may use in a minute while other actors call, where concurrent calls share each moment; then 429.",
  listedFaults: "Most faults a `bad_parameters` problem lists.",
  lambdaAnswerBytes: "Largest whole answer as Lambda hands it to API Gateway, escaped or base64.",
  headerBytes: "Longest request line and headers the local server reads; API Gateway stops at 10,240.",
  importWarningBytes: "Most bytes of warnings an import or an export answers; places are left out beyond it.",
  warningPointers: "Most places that one row of equal warnings names.",
  warningDetails: "Most rows of warnings with the same code; the others share one more row.",
  yamlBytes: "Largest import source in YAML.",
  dbmlBytes: "Largest import source in DBML.",
  dbmlPartialCharacters:
    "Most characters of the table partials of a source in DBML, counted again for each table that uses them; then 413.",
  dbmlEnumCharacters:
    "Most characters of the enums of a source in DBML, counted again for each column that uses them; then 413.",
  sqlTokens: "Words, names and signs of one statement in SQL that is read; a longer one is left out.",
  copiedMembers: "Most properties and required names that `allOf` copies while a JSON Schema is read.",
  madeCharacters:
    "Most characters of the descriptions, constraints and properties of a model that is read from tables or schemas, as JSON.",
  sqlWalked: "Most columns and keys that the changes of tables in one SQL text look through one by one.",
  sqlExpressionDepth:
    "Nesting of an expression in SQL that is brought into its normal form; of a deeper one only the spaces are.",
  sqlColumns: "Most columns that a table in SQL takes from others, or a view from its query.",
  yamlAliases: "How often an import source in YAML may use one anchor.",
  yamlAnchors: "Most anchors and aliases, together, of an import source in YAML.",
  sourceRatio: "How many times larger than on the wire a compressed import source may become, past 1 MB.",
  importProblems: "Most problems an import lists.",
};

/** One sentence per waiting time of the sweeper, for `docs/limits.md`. */
export const SWEEP_TEXTS: { readonly [S in keyof typeof SWEEP]: string } = {
  generationMs: "How long a replaced or deleted generation is kept, for readers that began before.",
  secondLookMs: "How long after a sweep the same place is swept once more, for a write that arrived late.",
  stagingMs: "After what time an unpublished generation counts as abandoned.",
};

/** One sentence per limit of properties. */
export const PROPERTY_TEXTS: { readonly [L in keyof typeof PROPERTY_LIMITS]: string } = {
  propertiesPerObject: "Most properties of one object.",
  propertiesBytes: "Most bytes of all properties of one object, as JSON in UTF-8.",
  propertyDepth: "Deepest nesting of lists and objects in the value of a property.",
  propertyDefinitions: "Most definitions of properties, those that come with the service not counted.",
  propertySchemaBytes: "Largest JSON Schema of a definition of a property.",
  propertySchemaDepth: "Deepest nesting of `items` in such a schema.",
  patternSteps: "Most steps of a pattern in it, with its repetitions written out.",
  patternDepth: "Deepest nesting of groups in such a pattern.",
  patternWork: "Most steps that the patterns of definitions take on all values of one call.",
};
