import type { ApiTokenParts } from "../../domain/accounts/api-token.ts";
import type { AuditEntry, AuditOutcome } from "../../domain/accounts/audit.ts";
import type { Principal } from "../../domain/accounts/principal.ts";
import type { Session } from "../../domain/accounts/sessions.ts";
import type { Difference } from "../../domain/differences.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import type { FormerPositions } from "../../domain/document/read-document.ts";
import type { SearchFilters } from "../../domain/search/filters.ts";
import type { FoundObject } from "../../domain/search/rows.ts";
import type { DifferenceFormat, ExportFormat } from "../../domain/values/export-formats.ts";
import type { SourceFormat, Sureness } from "../../domain/values/source-formats.ts";
import type { SourceContent } from "../../domain/values/value-types.ts";
import type { Warning } from "../../domain/warnings.ts";
import type { CallBudget } from "./budget.ts";
import type { Call, Origin } from "./call.ts";
import type { Jobs } from "./jobs.ts";
import type { Runs } from "./runs.ts";
import type { Store } from "./store.ts";
import type { Page, Rows } from "./view.ts";

/** Access token as in RFC 6749, section 5.1; `expires_in` is in seconds. */
export interface AccessToken {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
}

/** Claims of a verified token. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly fullname?: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly tokenEpoch?: number;
  readonly session?: Session;
  /** E-mail address, for tokens of other issuers; never used as identity. */
  readonly email?: string;
  /** Keys of roles, for tokens of other issuers, mapped by the configuration. */
  readonly claimedRoles?: readonly string[];
  /** Ids and secret digest of an API token. The other members are meaningless then. */
  readonly apiToken?: Omit<ApiTokenParts, "secret"> & { readonly hash: string };
}

/** First administrator, as in `auth/admin_bootstrap`. */
export interface Bootstrap {
  readonly username: string;
  readonly fullname: string;
  readonly password: string;
  readonly secret: string;
}

/** Identity provider for signing in with the browser, by a client without a secret. */
export interface SignInOption {
  readonly issuer: string;
  readonly label: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** API that tokens are requested for (RFC 8707). */
  readonly resource?: string;
}

/** Available ways to sign in. */
export interface SignInOptions {
  /** Issuer of the names and passwords for `auth/login`. */
  readonly passwordIssuer: string;
  /** True as long as there is no administrator. */
  readonly firstRun: boolean;
  readonly issuers: readonly SignInOption[];
}

/** Authentication and accounts. Implemented by `shared/identity`. */
export interface Identity {
  /** Checks a bearer token without accessing the store. Throws `not_signed_in` and `unavailable`. */
  verify(token: string): Promise<Claims>;
  /** Finds the actor of a token; creates it for another issuer. Throws `not_signed_in` and `actor_disabled`. */
  findPrincipal(claims: Claims, origin: Origin): Promise<Principal>;
  /** Records the call of an actor. Never fails, and takes at most `LIMITS.seenMs`. */
  noteCall(actorId: string, call: Pick<Origin, "deadline">): Promise<void>;
  /** Returns the last calls of actors by id, in ISO 8601, rounded to `LIMITS.seenMinutes`. */
  listLastCalls(actorIds: readonly string[], call: Pick<Origin, "deadline">): Promise<ReadonlyMap<string, string>>;
  getSignInOptions(call: Pick<Origin, "deadline">): Promise<SignInOptions>;
  /** Creates the secret of a new API token: `API_SECRET_BYTES` random bytes. */
  createSecret(): Promise<Uint8Array>;
  /** Creates a token for a built-in user. Throws `not_signed_in` with the same message for every cause. */
  login(username: string, password: string, call: Call): Promise<AccessToken>;
  /** Returns the hash of a new password. Throws `bad_parameters` at `pointer` for a weak or well-known one. */
  hashNewPassword(password: string, username: string, pointer: string): Promise<string>;
  /** Checks a password and returns the token epoch. Throws `not_found`, `wrong_password` and `throttled`. */
  checkPassword(principal: Principal, password: string, call: Call): Promise<number>;
  /** Creates the first administrator. Throws `bootstrap_used`, `not_signed_in` and `bad_parameters`. */
  bootstrap(first: Bootstrap, call: Call): Promise<AccessToken>;
}

/** Possible format of a source; `format` is absent if it is not supported. */
export interface CandidateFormat {
  readonly format?: SourceFormat;
  /** Name with its article, such as "a Data Package". */
  readonly name: string;
  /** Confidence: declared by the source, similar members, or only possible. */
  readonly sure: Sureness;
  readonly because: string;
}

/** Format in which a source was read, and the other candidates. */
export interface RecognisedSource extends CandidateFormat {
  readonly format: SourceFormat;
  readonly others: readonly CandidateFormat[];
}

/** Imported document, with warnings about parts that were not imported. */
export interface ImportedDocument {
  readonly document: ModelDocument;
  /** Positions of its objects in the source, for messages; absent for jobs of older versions. */
  readonly former?: FormerPositions;
  readonly recognised: RecognisedSource;
  readonly warnings: readonly Warning[];
  readonly source?: string;
}

/** Source of an import: a URL or the content itself. */
export type ImportSource = { readonly from: string } | { readonly content: SourceContent };

/** Values of the caller that override the source: key, name and label. */
export interface ImportNames {
  readonly modelKey?: string;
  readonly modelName?: string;
  /** Label of origins; by default the URL without its query, and none for content. */
  readonly source?: string;
  readonly format?: SourceFormat;
  /** True if the document should contain notes about omitted and cleared members. */
  readonly notes?: true;
  /** True if refs of a document in our own format may name objects of the model that it will be applied to. */
  readonly refsToModel?: true;
  /** True to warn about unknown members of a document in our own format instead of rejecting them. */
  readonly allowUnknown?: boolean | undefined;
  /** True to warn about broken statements of a SQL text instead of rejecting them. */
  readonly lenient?: boolean | undefined;
  /** True to read the operations of an OpenAPI document as entities, for a comparison. */
  readonly operations?: true;
}

/** Reads import formats. Implemented by `shared/formats`. */
export interface Importer {
  /**
   * Reads a source as a checked document; its expansion is charged to the budget. Throws `source_not_recognised`, `invalid_content` and
   * `too_large`.
   */
  read(source: ImportSource, names: ImportNames, budget?: CallBudget): Promise<ImportedDocument>;
}

/** Exported file of a model, with warnings about parts that were not exported. */
export interface ExportedFile {
  readonly format: ExportFormat;
  readonly mediaType: string;
  readonly fileName: string;
  readonly content: string;
  readonly warnings: readonly Warning[];
}

/** Two compared models, for writers of differences. */
export interface ComparedDocuments {
  readonly left: ModelDocument;
  readonly right: ModelDocument;
  readonly names: readonly [left: string, right: string];
  readonly differences: readonly Difference[];
}

/** Exported file of a difference, with warnings about parts that were not exported. */
export interface DifferenceFile extends Omit<ExportedFile, "format"> {
  readonly format: DifferenceFormat;
}

/** Writes export formats. Implemented by `shared/formats`. */
export interface Exporter {
  /** Writes a document in a format. Paths of warnings refer to the document. */
  write(document: ModelDocument, format: ExportFormat): Promise<ExportedFile>;
  /** Writes the difference of two documents in a format. Paths of warnings start with `/left` or `/right`. */
  writeDifference(comparison: ComparedDocuments, format: DifferenceFormat): Promise<DifferenceFile>;
}

/** Running service: its version, engine and endpoint. */
export interface ServiceInfo {
  readonly version: string;
  /** For example "SQLite 3.53.4" or "Amazon DynamoDB". */
  readonly engine: string;
  /** DynamoDB endpoint and table; visible to administrators only. */
  readonly endpoint: string;
  readonly table: string;
  readonly tokenSeconds?: number | undefined;
}

/** External ports of actions: store, identity, importer, exporter and service information. */
export interface OuterPorts {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly checks: LedgerChecks;
  readonly searches: () => Promise<Searches>;
  readonly identity: Identity;
  readonly audit: Audit;
  readonly importer: Importer;
  readonly exporter: Exporter;
  /** Computes a keyed digest, from which the text cannot be guessed. */
  readonly digest: (text: string) => Promise<string>;
  readonly service: ServiceInfo;
}

/** Filter of the audit log; entries match all its members. */
export interface AuditFilter {
  readonly actorId?: string;
  readonly act?: string;
  readonly outcome?: AuditOutcome;
  /** ISO 8601 in UTC with milliseconds: `from` is included, `until` is not. */
  readonly from?: string;
  readonly until?: string;
  /** Entries to read at most; `LIMITS.auditScanned` unless given. */
  readonly mostEntries?: number;
}

/** Reads the audit log. Implemented by `shared/store`; owned by its user. */
interface Audit {
  /** Lists entries, newest first. One call reads at most `mostEntries`, so a page may be short. */
  list(filter: AuditFilter, page: Page): Promise<Rows<AuditEntry>>;
}

/** Violation that was found by comparing a ledger with the replay of its log. */
export interface CheckedViolation {
  /** Code as in `docs/fsck.md`. */
  readonly code: string;
  /** Partition and sort key of the item. */
  readonly place: string;
  readonly sentence: string;
  readonly mended: boolean;
}

/** Result of checking one model; `isThere` is false if there is no log with that id. */
export interface ModelCheck {
  readonly id: string;
  readonly isThere: boolean;
  readonly findings: readonly CheckedViolation[];
}

/** Options of a check. */
export interface CheckOptions {
  /** True to repair violations that the log decides. */
  readonly repair: boolean;
  /** Time after which no more models are started, in milliseconds since the epoch. */
  readonly until: number;
}

/** Compares stored data with the logs. Implemented by `shared/store`. */
export interface LedgerChecks {
  /** Checks models one by one, at least the first. Stops early at `until`. */
  checkModels(ids: readonly string[], options: CheckOptions): Promise<readonly ModelCheck[]>;
  checkTags(repair: boolean): Promise<readonly CheckedViolation[]>;
}

/** Global tags at one revision of their ledger. */
export interface SearchedTags {
  readonly revision: number;
  /** Ids by `<group>/<tag>`. */
  readonly byKey: ReadonlyMap<string, string>;
  readonly ids: ReadonlySet<string>;
}

/** Model to search: its id, and its key when it was listed or opened. */
export interface ListedModel {
  readonly id: string;
  readonly key: string;
}

/** Parameters of one search. */
export interface SearchTerms {
  readonly filters: SearchFilters<string>;
  readonly globalTags: ReadonlySet<string>;
  /** Models to search, sorted by key; all visible models if absent. */
  readonly models?: readonly ListedModel[];
  readonly page: Page;
}

/** Search index, in the file of the store or in memory. Implemented by `shared/search`. */
export interface Searches {
  /** Finds a page of objects, by model and position. Throws `too_large`, and `out_of_time` while it is built. */
  find(terms: SearchTerms, store: Store): Promise<Rows<FoundObject>>;
  /** Makes the next search read a model again, after a change that its log does not contain. */
  forget(ledgerId: string): Promise<void>;
  /** Global tags of the last search in this process. */
  tags: SearchedTags | undefined;
}
