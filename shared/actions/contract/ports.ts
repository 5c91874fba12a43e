import type { ApiTokenParts } from "../../domain/accounts/api-token.ts";
import type { AuditEntry, AuditOutcome } from "../../domain/accounts/audit.ts";
import type { Principal } from "../../domain/accounts/principal.ts";
import type { Difference } from "../../domain/differences.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import type { FormerPositions } from "../../domain/document/read-document.ts";
import type { SearchFilters } from "../../domain/search/filters.ts";
import type { FoundObject } from "../../domain/search/rows.ts";
import type { DifferenceFormat, ExportFormat } from "../../domain/values/export-formats.ts";
import type { SourceFormat, Sureness } from "../../domain/values/source-formats.ts";
import type { SourceContent } from "../../domain/values/value-types.ts";
import type { Warning } from "../../domain/warnings.ts";
import type { Call, Origin } from "./call.ts";
import type { Jobs } from "./jobs.ts";
import type { Store } from "./store.ts";
import type { Page, Rows } from "./view.ts";

/** An access token as RFC 6749 section 5.1 answers one; `expires_in` in seconds. */
export interface AccessToken {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
}

/** The claims of a verified token about its bearer. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly fullname?: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  /** Of the service's own tokens: the epoch of the user's tokens it belongs to. */
  readonly tokenEpoch?: number;
  /** Of tokens of other issuers: where the bearer can be written to, never who they are. */
  readonly email?: string;
  /** Of tokens of other issuers: keys of roles, as the configuration maps what the token claims. */
  readonly claimedRoles?: readonly string[];
  /** Of an API token: where it is kept, and the digest of its secret. The other members tell nothing then. */
  readonly apiToken?: Omit<ApiTokenParts, "secret"> & { readonly hash: string };
}

/** The first administrator, as `auth/admin_bootstrap` is given one. */
export interface Bootstrap {
  readonly username: string;
  readonly fullname: string;
  readonly password: string;
  readonly secret: string;
}

/** An identity provider at which people sign in in the browser, by a client without a secret. */
export interface SignInOption {
  readonly issuer: string;
  /** The provider's name for people. */
  readonly label: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The API that tokens are asked for (RFC 8707). */
  readonly resource?: string;
}

/** The ways in which people sign in. */
export interface SignInOptions {
  /** The issuer whose names and passwords `auth/login` takes. */
  readonly passwordIssuer: string;
  /** True while there is no administrator. */
  readonly firstRun: boolean;
  readonly issuers: readonly SignInOption[];
}

/** Who is who. Implemented by `shared/identity`. */
export interface Identity {
  /** Checks a bearer token's form, signature and claims without touching the store; `not_signed_in`, `unavailable`. */
  verify(token: string): Promise<Claims>;
  /**
   * The actor a verified token stands for, as it is now, made where a token of another issuer is the first one of its
   * bearer; `not_signed_in` when it is gone or its tokens were ended, `actor_disabled`.
   */
  findPrincipal(claims: Claims, origin: Origin): Promise<Principal>;
  /** Notes that an actor called. It never fails, and takes `LIMITS.seenMs` at most. */
  noteCall(actorId: string, call: Pick<Origin, "deadline">): Promise<void>;
  /** When actors called last, as coarse as `LIMITS.seenMinutes`, ISO 8601, by id. */
  listLastCalls(actorIds: readonly string[], call: Pick<Origin, "deadline">): Promise<ReadonlyMap<string, string>>;
  /** The ways to sign in, for whoever asks. */
  getSignInOptions(call: Pick<Origin, "deadline">): Promise<SignInOptions>;
  /** The secret of a new API token: `API_SECRET_BYTES` random bytes. */
  createSecret(): Promise<Uint8Array>;
  /** A token for a built-in user; `not_signed_in` with the same words whatever was wrong. */
  login(username: string, password: string, call: Call): Promise<AccessToken>;
  /**
   * The hash to store for a new password; `bad_parameters` at `pointer` where the password is too weak or well known.
   */
  hashNewPassword(password: string, username: string, pointer: string): Promise<string>;
  /**
   * Looks at the password of whoever is signed in, and answers the epoch their tokens had then; `not_found` where they are
   * no user of the built-in provider, `wrong_password`, `throttled` after several of these.
   */
  checkPassword(principal: Principal, password: string, call: Call): Promise<number>;
  /**
   * Makes the first administrator; `bootstrap_used`, `not_signed_in` (wrong secret), `bad_parameters` (weak password).
   */
  bootstrap(first: Bootstrap, call: Call): Promise<AccessToken>;
}

/** A format that a source may be written in; one that is not read has no name of its own. */
export interface CandidateFormat {
  readonly format?: SourceFormat;
  /** The name with its article, such as "a Data Package". */
  readonly name: string;
  /** How sure it is: the source says so itself, its members are like it, or they may be. */
  readonly sure: Sureness;
  /** The reason, as a part of a sentence. */
  readonly because: string;
}

/** The format in which a source was read, and what else it could have been. */
export interface RecognisedSource extends CandidateFormat {
  readonly format: SourceFormat;
  readonly others: readonly CandidateFormat[];
}

/** A document read from a foreign source, with what was recognised there but not carried over. */
export interface ImportedDocument {
  readonly document: ModelDocument;
  /** The places that its objects have in the source, by which faults name them; absent where a job began before there were any. */
  readonly former?: FormerPositions;
  readonly recognised: RecognisedSource;
  readonly warnings: readonly Warning[];
  /** The label that its origins begin with, if it has one. */
  readonly source?: string;
}

/** Where an import reads from: a URL to fetch, or the content itself. */
export type ImportSource = { readonly from: string } | { readonly content: SourceContent };

/** Key and name that the caller gives the imported model, and the label of the source, whatever the source says. */
export interface ImportNames {
  readonly modelKey?: string;
  readonly modelName?: string;
  /** The label that origins begin with; otherwise the URL without its query, and content has none. */
  readonly source?: string;
  /** The format to read the source in, whatever it looks like; recognised unless given. */
  readonly format?: SourceFormat;
  /** True where the document is to tell what the source leaves out and what it clears. */
  readonly notes?: true;
}

/** Reads foreign formats. Implemented by `shared/formats`. */
export interface Importer {
  /**
   * A checked document: keys legal and unique, refs resolved. `source_not_recognised`, `invalid_content`, `too_large`.
   */
  read(source: ImportSource, names: ImportNames): Promise<ImportedDocument>;
}

/** A model as a file of a foreign format, with what the format has no place for. */
export interface ExportedFile {
  readonly format: ExportFormat;
  readonly mediaType: string;
  readonly fileName: string;
  /** The text of the file. */
  readonly content: string;
  readonly warnings: readonly Warning[];
}

/** Two models that were compared, as a writer of their difference takes them. */
export interface ComparedDocuments {
  readonly left: ModelDocument;
  readonly right: ModelDocument;
  /** The two sides as sentences name them. */
  readonly names: readonly [left: string, right: string];
  readonly differences: readonly Difference[];
}

/** The difference of two models as a file of a foreign format, with what the format has no place for. */
export interface DifferenceFile extends Omit<ExportedFile, "format"> {
  readonly format: DifferenceFormat;
}

/** Writes foreign formats. Implemented by `shared/formats`. */
export interface Exporter {
  /** A document as a file of a format; the places of warnings lie in the document. */
  write(document: ModelDocument, format: ExportFormat): Promise<ExportedFile>;
  /** The difference of two documents as a file of a format; the places of warnings lie in them, below `/left` and `/right`. */
  writeDifference(compared: ComparedDocuments, format: DifferenceFormat): Promise<DifferenceFile>;
}

/** The running service: its version, engine and endpoint. */
export interface ServiceInfo {
  readonly version: string;
  /** For example "SQLite 3.53.4" or "Amazon DynamoDB". */
  readonly engine: string;
  /** The DynamoDB endpoint and table, shown to administrators only. */
  readonly endpoint: string;
  readonly table: string;
  /** Lifetime of the tokens it makes; that of the limits unless given. */
  readonly tokenSeconds?: number | undefined;
}

/** The ports through which actions reach the outside: the store, identities, importer and exporter, and the facts of the service. */
export interface OuterPorts {
  readonly store: Store;
  readonly jobs: Jobs;
  readonly checks: LedgerChecks;
  readonly searches: () => Promise<Searches>;
  readonly identity: Identity;
  readonly audit: Audit;
  readonly importer: Importer;
  readonly exporter: Exporter;
  /** A keyed digest, from which its text cannot be guessed. */
  readonly digest: (text: string) => Promise<string>;
  readonly service: ServiceInfo;
}

/** The filter of the audit log: entries fit every member that is there. */
export interface AuditFilter {
  readonly actorId?: string;
  readonly act?: string;
  readonly outcome?: AuditOutcome;
  /** ISO 8601 in UTC with milliseconds: from this moment on, and before that one. */
  readonly from?: string;
  readonly until?: string;
}

/** Reads the audit log. Implemented by `shared/store`; owned by its user. */
interface Audit {
  /**
   * Entries newest first. One call looks at `LIMITS.auditScanned` entries at most, so that a page may hold fewer rows
   * than asked for, even none, and go on all the same.
   */
  list(filter: AuditFilter, page: Page): Promise<Rows<AuditEntry>>;
}

/** One broken rule, found where a ledger was held against the replay of its log. */
export interface CheckedViolation {
  /** As `docs/fsck.md` lists them. */
  readonly code: string;
  /** Partition and sort key of the item it is about. */
  readonly place: string;
  readonly sentence: string;
  readonly mended: boolean;
}

/** One model, checked; `isThere` is false where there is no log of that id. */
export interface ModelCheck {
  readonly id: string;
  readonly isThere: boolean;
  readonly findings: readonly CheckedViolation[];
}

/** How models are checked. */
export interface CheckOptions {
  /** Mends what the log decides, and what nothing but the log is needed for. */
  readonly repair: boolean;
  /** Milliseconds since the epoch after which no further model is begun. */
  readonly until: number;
}

/** Holds what is stored against the logs. Implemented by `shared/store`. */
export interface LedgerChecks {
  /** Models one after the other, at least the first of them; fewer than asked for where the time was up. */
  checkModels(ids: readonly string[], options: CheckOptions): Promise<readonly ModelCheck[]>;
  /** The ledger of tag groups and global tags. */
  checkTags(mend: boolean): Promise<readonly CheckedViolation[]>;
}

/** The global tags at one revision of their ledger. */
export interface SearchedTags {
  readonly revision: number;
  /** Ids by `<group>/<tag>`. */
  readonly byKey: ReadonlyMap<string, string>;
  readonly ids: ReadonlySet<string>;
}

/** A model to look into: its id, and its key when it was listed or opened. */
export interface ListedModel {
  readonly id: string;
  readonly key: string;
}

/** The terms of one search. */
export interface SearchTerms {
  readonly filters: SearchFilters<string>;
  /** Ids of the global tags that are there. */
  readonly globalTags: ReadonlySet<string>;
  /** The models to look into, sorted by key; all that the caller may see unless given. */
  readonly models?: readonly ListedModel[];
  readonly page: Page;
}

/**
 * The place where searches look. Implemented by `shared/search`: in the file of the store, which is told of every commit,
 * or in the memory of the process. An index that is kept outside the process is one more.
 */
export interface Searches {
  /**
   * A page of what passes the filters, sorted by the key of the model and the place in it; every commit that was answered
   * before is in it. `too_large` where the models are more than there is room for and none were named, `out_of_time`
   * while the index is built.
   */
  find(terms: SearchTerms, store: Store): Promise<Rows<FoundObject>>;
  /** Has the next search read a model anew: it was changed by something that its log does not tell of. */
  forget(ledgerId: string): Promise<void>;
  /** The global tags as a search of this process read them last. */
  tags: SearchedTags | undefined;
}
