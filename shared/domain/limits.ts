/** Characters of keys and of usernames. Apart from the others, so that the web application loads no more than it needs. */
export const KEY_CHARACTERS = 128;
export const USERNAME_CHARACTERS = 32;

/** All limits of the service. `docs/limits.md` lists them and `test/shape/limits.test.ts` tests their edges. */
export const LIMITS = {
  /** Longest request in bytes as JSON for Lambda, which refuses 6,291,556; the rest is for what API Gateway adds. */
  requestBytes: 6_200_000,
  /** Longest body in bytes without sign-in. Bodies up to this size are read while the caller is authenticated. */
  shortBodyBytes: 4_000,
  /** Deepest nesting of lists and objects in a request body and in an import source. */
  jsonDepth: 32,
  /** Members of all objects in such a text, and items of all its lists. An empty list or object counts as one. */
  jsonMembers: 250_000,
  /** Longest query string in bytes. API Gateway limits request line and headers to 10,240 bytes together. */
  queryBytes: 8_000,
  /** Longest access token in bytes. */
  tokenBytes: 8_192,
  /** Largest uncompressed response body in bytes. Lambda refuses more than 6 MB. */
  responseBytes: 6_000_000,
  /** Largest response body in bytes before compression. The compressed form is limited by `responseBytes`. */
  inflatedResponseBytes: 40_000_000,
  /** Bytes of an answer as escaped or base64 JSON for API Gateway. Lambda refuses 6,291,556 bytes. */
  lambdaAnswerBytes: 6_200_000,
  /** Bytes of request line and headers that the local server accepts. API Gateway accepts 10,240. */
  headerBytes: 20_000,
  /** Connections that the local server keeps open; it closes new ones beyond that. */
  connections: 1_000,
  /** Connections of one address, unless it is a trusted proxy. */
  connectionsPerAddress: 250,
  /** Timeout for receiving the headers of a request in the local server, in milliseconds. */
  headersMs: 10_000,
  /** Timeout for receiving a whole request in the local server, in milliseconds. */
  requestMs: 30_000,
  /** Time that a closing connection stays open for data that the caller still sends, in milliseconds. */
  lingerMs: 1_000,
  /** Timeout for sending an answer, in milliseconds. */
  deliveryMs: 60_000,
  /** Bytes of all request bodies that the local server holds at once. Bodies up to `shortBodyBytes` are not counted. */
  bodiesBytes: 64_000_000,
  /** Size in bytes from which responses are compressed. */
  compressAboveBytes: 4_096,
  keyCharacters: KEY_CHARACTERS,
  nameCharacters: 200,
  descriptionBytes: 100_000,
  urlCharacters: 2_048,
  /** Bytes of the constraints of one attribute, as JSON. */
  constraintBytes: 32_000,
  /** Deepest nesting of lists and objects in constraints. An export nests them six levels deeper. */
  constraintDepth: 16,
  /** Characters of a pattern in constraints. */
  patternCharacters: 1_000,
  /** Characters of a semantic version label. */
  versionCharacters: 128,
  /** Attributes in one primary key. */
  primaryKeyAttributes: 100,
  /** Attributes in one business key. */
  businessKeyParticipants: 100,
  /** Roles of one relationship. */
  relationshipRoles: 100,
  /** Key pairs of one relationship. */
  keyPairs: 100,
  /** Tags of one object. */
  tagsPerObject: 50,
  /** Conditions of one search. */
  searchFilters: 100,
  /** Tag groups and global tags that one import may create, in the transaction that publishes its model. */
  importedGlobalTags: 40,
  removedRows: 1_000,
  listedChanges: 1_000,
  /** Steps of a plan that an answer lists at most. */
  plannedSteps: 2_000,
  /** Pairs of deleted and added objects that a comparison looks at for likely renames. */
  likelyRenamePairs: 40_000,
  /** Bytes of a plan or a difference report in Markdown. GitHub refuses comments of more than 65,536 characters. */
  commentBytes: 65_536,
  /** Boxes and lines of an exported diagram that is laid out by its lines. Larger diagrams would take too long. */
  diagramBoxes: 400,
  diagramLines: 800,
  /** Changes since the first revision that an undo takes back. */
  undoneChanges: 20_000,
  /** Revisions that an undo can name, and items of a list of its selection. */
  undoneRevisions: 100,
  /** Conflicts of an import or an undo that an answer lists at most. */
  conflictRows: 100,
  /** Characters of a value in such a conflict, as JSON. */
  conflictCharacters: 1_000,
  /** Labels of import sources of one model. */
  modelSources: 50,
  /** Objects that one batch may change. */
  objectsPerCall: 20_000,
  /** Objects that one job may write. */
  objectsPerJob: 200_000,
  /** Longest predicted time to write a model in a call, in ms; see `shared/store/publish/staging-time.ts`. */
  callStagingMs: 20_000,
  /** Time that must then remain of the call, to publish the model or to start a job, in milliseconds. */
  handOverMs: 5_000,
  /** Entries of one batch. */
  batchEntries: 20_000,
  /** Entries of one batch that read the past of a model. Each of them reads the log again. */
  batchPastReads: 100,
  /** Bytes of the results of one batch, as JSON. Counted after each entry. */
  batchAnswerBytes: 16_000_000,
  /** Lease of a worker on a job, in milliseconds. It ends unless the worker renews it. */
  jobLeaseMs: 60_000,
  /** Jobs that have not ended, of one actor and of all. */
  openJobsPerActor: 10,
  openJobs: 200,
  /** Workers that may start one job before it counts as failed. */
  jobWorkers: 5,
  /** Days until an ended job is deleted. */
  jobDays: 7,
  /** Bytes of one stored object. DynamoDB refuses items over 400 kB. */
  objectBytes: 350_000,
  /** Bytes of changes that a log entry contains itself. Larger ones go to a blob, because every call reads entries. */
  logBytes: 1_500,
  /** Items of one DynamoDB transaction, all included. */
  transactionItems: 100,
  /** Bytes of one DynamoDB transaction. DynamoDB refuses 4 MB. */
  transactionBytes: 3_500_000,
  /** Write units per second of one DynamoDB partition. All objects of a generation share a partition. */
  partitionUnits: 1_000,
  /** Bytes of one chunk of a blob. */
  blobChunkBytes: 380_000,
  /** Commits of a model between two snapshots, which limits the replay for a past state. */
  snapshotCommits: 1_000,
  /** Objects that a process of 512 MB caches. An object with a long text counts as several. */
  cachedObjects: 50_000,
  /** Lifetime of a cached model, in milliseconds. */
  cachedMs: 600_000,
  /** Age in milliseconds at which every reader sees a commit. Longer than a call may take to send it. */
  settledMs: 60_000,
  /** Rows of one page of a list. */
  pageRows: 1_000,
  /** Characters of an idempotency key. */
  idempotencyKeyCharacters: 255,
  idempotencyHours: 48,
  /** Bytes of a stored answer for an idempotency key, as JSON. */
  idempotencyRecordBytes: 64_000,
  /** Time that a write retries against concurrent writers before it answers `contention`, in milliseconds. */
  contentionMs: 5_000,
  /** Retries of throttled table requests that a process may start while no request succeeds. */
  retryTokens: 100,
  /** Successful requests that allow one more retry. */
  successesPerRetryToken: 10,
  /** Timeout of one call, in milliseconds. API Gateway stops at 30 s. */
  callMs: 29_000,
  usernameCharacters: USERNAME_CHARACTERS,
  /** Characters of the name for `auth/login`. Amazon Cognito allows 128. */
  loginNameCharacters: 128,
  passwordCharacters: 14,
  passwordBytes: 512,
  fullnameCharacters: 200,
  bootstrapSecretCharacters: 20,
  /** Roles of the instance. Every call reads all of them. */
  roles: 100,
  /** Roles of one actor that are limited to some models. */
  scopedRoles: 50,
  /** Characters of a pattern of model keys. */
  keyPatternCharacters: 256,
  /** Actions and models of one call of `auth/can`. */
  askedActions: 200,
  askedModels: 100,
  /** API tokens of one actor. They are deleted with the actor in one transaction, which limits their number. */
  apiTokens: 40,
  /** Ended sessions of an actor whose tokens could still be valid. With one more, all its sessions end. */
  endedSessions: 100,
  /** Entries of the audit log that one call of `session_list` reads. */
  sessionScanned: 1_000,
  /** Model patterns of one API token. */
  apiTokenModels: 50,
  /** Longest lifetime of an API token, and the default lifetime. */
  apiTokenDays: 366,
  apiTokenDefaultDays: 90,
  /** Minutes between two updates of an actor's last call by one process. */
  seenMinutes: 60,
  /** Days until an actor's last call is deleted. */
  seenDays: 400,
  /** Time that a finished call waits for that update, in milliseconds. */
  seenMs: 1_000,
  /** Wrong passwords for one name from one network before the next attempt has to wait. */
  freeLoginFailures: 5,
  /** Longest wait after wrong passwords, in seconds. It starts at one second and doubles. */
  loginWaitSeconds: 900,
  /** Hours after which wrong passwords are forgotten. */
  loginFailureHours: 24,
  /** Wrong passwords for one name per hour, from all networks without a recent successful sign-in. */
  loginFailuresPerHour: 100,
  /** Wrong passwords from one network per hour, for all names without a recent successful sign-in from there. */
  networkFailuresPerHour: 60,
  /** Days after a sign-in during which its network is known for the name. */
  knownNetworkDays: 30,
  /** Timeout of a sign-in at a Cognito user pool, including the functions that it calls, in milliseconds. */
  cognitoMs: 8_000,
  /** Bytes of an answer of a Cognito user pool. */
  cognitoBytes: 100_000,
  /** Days until an entry of the audit log is deleted. */
  auditDays: 400,
  /** Entries of the audit log that one call reads at most. */
  auditScanned: 10_000,
  /** Hours for which the secret of a reopened bootstrap is valid. */
  reopenedHours: 24,
  /** Default lifetime of a token from `auth/login`, in seconds. */
  tokenSeconds: 3_600,
  /** Shortest and longest lifetime that a setting may choose, in minutes. */
  leastTokenMinutes: 5,
  mostTokenMinutes: 1_440,
  /** Longest lifetime of the caller cache that a setting may choose, in seconds. */
  mostCallerSeconds: 300,
  /** Callers in that cache. */
  keptCallers: 1_000,
  /** Tolerated clock difference of a token's issue time, in seconds. */
  tokenSkewSeconds: 60,
  /** Characters of a token's `sub` (RFC 7519; OpenID Connect Core section 2 allows 255). */
  subjectCharacters: 255,
  /** Longest lifetime of a token of another issuer, in seconds, unless the configuration sets one. */
  externalTokenSeconds: 86_400,
  /** Age in seconds at which keys of another issuer are fetched again, and a withdrawn key stops working. */
  keySetSeconds: 300,
  /** Age at which the keys of another issuer expire, even if the issuer cannot be reached, in seconds. */
  keySetMaxSeconds: 3_600,
  /** Seconds before fetching keys again after a failure, or for a key that is not in the set. */
  keySetRetrySeconds: 10,
  /** Timeout for fetching a key set or discovery document, in milliseconds. */
  keySetMs: 1_500,
  /** Bytes of a key set or a discovery document. */
  keySetBytes: 150_000,
  /** Bytes of a fetched import source, both compressed and decompressed. */
  sourceBytes: 25_000_000,
  /** Bytes of a YAML source, and uses of one of its anchors. */
  yamlBytes: 500_000,
  yamlAliases: 1_000,
  /** Anchors and aliases of one YAML source. Each alias is searched among all earlier anchors. */
  yamlAnchors: 5_000,
  /** Bytes of a DBML source. Its parser is slow. */
  dbmlBytes: 100_000,
  /** Characters of the table partials of a DBML source, copied into each table that uses them. */
  dbmlPartialCharacters: 400_000,
  /** Characters of the enums of a DBML source, copied into each column that uses them. */
  dbmlEnumCharacters: 5_000_000,
  /** Tokens of one SQL statement. */
  sqlTokens: 100_000,
  /** Columns that an SQL table may inherit from others, or a view from its query. No database allows more. */
  sqlColumns: 10_000,
  /** Columns and keys that are scanned for all table changes of one SQL text that cannot use an index by name. */
  sqlWalked: 20_000_000,
  /** Nesting of an expression of SQL that is brought into its normal form; the text of a deeper one is kept. */
  sqlExpressionDepth: 100,
  /** Characters of the texts of a model read from tables or schemas, as JSON. Refs let a small source repeat one. */
  madeCharacters: 10_000_000,
  /** Properties that `allOf` in JSON Schemas copies. Refs let a small source copy a large definition many times. */
  copiedMembers: 1_000_000,
  sourceRedirects: 3,
  sourceConnectMs: 2_000,
  sourceTotalMs: 20_000,
  /** Schema files of one data package. */
  sourceFiles: 200,
  /** Commits that a failed precondition lists, and objects of each. */
  notedChanges: 20,
  /** Bytes of the body of a call and of the models that it reads whole, above which the local server runs it in a thread of its own. */
  sharedThreadBytes: 64_000,
  /** Objects that a reader makes of a shorter source, above which the call runs in a thread of its own. */
  sharedThreadObjects: 20_000,
  /** Long calls that the local server runs at once. */
  longCalls: 2,
  /** Memory of a long call, in megabytes of the heap of its thread. */
  longCallMegabytes: 1_024,
  /** Concurrent calls of one process. More are refused with 503 before anything is read. */
  callsAtOnce: 256,
  /** Concurrent calls of one caller on the local server. */
  callsPerCaller: 16,
  /** Time of the local server that one caller may use in a minute while there are other callers, in milliseconds. */
  callerMs: 30_000,
  /** Faults that a `bad_parameters` problem lists at most. */
  listedFaults: 100,
  /** Problems that an import lists at most. */
  importProblems: 100,
  /** Bytes of all warnings of one import or export, so that the answer can be stored. Paths beyond it are left out. */
  importWarningBytes: 300_000,
  /** Paths that one row of equal warnings lists. */
  warningPointers: 5,
  /** Rows of warnings with the same code. The rest share one more row. */
  warningDetails: 20,
  /** Tags of one search condition, and characters of its text. */
  searchTags: 100,
  searchCharacters: 200,
  /** Models that one search may list. */
  searchedModels: 100,
  /** Objects that a process can search in memory. Each 500 characters of text after the first 500 count as another. */
  searchObjects: 150_000,
  /** Largest compression ratio of an import source, checked from 1 MB on. */
  sourceRatio: 100,
} as const;

/** Limits of properties. Separate, because the code that is loaded at start does not need them. */
export const PROPERTY_LIMITS = {
  /** Properties of one object, and their total size in bytes as JSON in UTF-8. */
  propertiesPerObject: 100,
  propertiesBytes: 64_000,
  /** Deepest nesting of lists and objects in a property value. */
  propertyDepth: 16,
  /** Definitions of properties, which an apply may read completely; bytes of one schema; and levels of its `items`. */
  propertyDefinitions: 200,
  propertySchemaBytes: 8_000,
  propertySchemaDepth: 4,
  /** Steps of a pattern with expanded repetitions, and levels of its groups. */
  patternSteps: 1_000,
  patternDepth: 20,
  /** Steps that the patterns of definitions may take on all values of one call: about a quarter of a second. */
  patternWork: 5_000_000,
} as const;

/** Delays of the sweeper, in milliseconds. */
export const SWEEP = {
  /** Time that a replaced or deleted generation is kept for readers that started before. */
  generationMs: 24 * 3_600_000,
  /** Delay of a second sweep of the same partition, for a write that arrived late. */
  secondLookMs: 20 * 60_000,
  /** Age at which an unpublished generation counts as abandoned. */
  stagingMs: 15 * 60_000,
} as const;

/** Memory of a process in megabytes that the cache limits are defined for. */
export const REFERENCE_MEGABYTES = 512;

/** Scales a cache limit to the memory of the process, if known. */
export function scaleLimit(limit: number, megabytes: number | undefined): number {
  return megabytes === undefined ? limit : Math.floor((limit * megabytes) / REFERENCE_MEGABYTES);
}
