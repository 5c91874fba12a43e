import type { Constraints } from "../constraints/keywords.ts";
import type { AttributeDocument, ModelDocument } from "../document/document.ts";
import { isSameValue } from "../text/json-values.ts";
import { findAttributeType } from "../types/find-logical-type.ts";
import type { LogicalType } from "../types/logical/logical-type.ts";
import { readLiteral } from "./checks.ts";
import { type Collation, describeCollation, readCollation } from "./collations.ts";
import type { DialectRules } from "./dialect-rules.ts";
import { type Expression, formatText } from "./expressions/expression.ts";
import { isMadeSequence } from "./made-names.ts";
import type { NormalTypes } from "./normalize-types.ts";
import { PropertyChanges } from "./property-changes.ts";
import { getSourceName, removeQualifier, type TableExpressions } from "./table-expressions.ts";
import { readColumnValue } from "./values/column-values.ts";
import { toDecimalText } from "./values/decimal-text.ts";

/** Value of a constraint that the type of its column does not allow. */
export interface Misfit {
  readonly entity: string;
  readonly attribute: string;
  readonly keyword: string;
  readonly value: unknown;
  /** Key of the type. */
  readonly type: string;
}

/** What the normal form of a column depends on. */
export interface ColumnTerms {
  readonly rules: DialectRules;
  /** Key of the entity. */
  readonly entity: string;
  readonly table: string;
  readonly collation: Collation | undefined;
  readonly expressions: TableExpressions;
  readonly types: NormalTypes;
  /** Document with the types in their normal form. */
  readonly document: ModelDocument;
  /** Keywords that checks of the table state about the column. */
  readonly keywords: Constraints;
  /** True if a check of the table says that the column contains JSON. */
  readonly isJson: boolean;
  readonly addMisfit: (misfit: Misfit) => void;
}

/** Returns a column in its normal form. */
export function normalizeColumn(attribute: AttributeDocument, terms: ColumnTerms): AttributeDocument {
  // A part of a model may omit the type of an attribute that the model has.
  return attribute.type === undefined ? attribute : new ColumnNormalizer(attribute, terms).normalize();
}

class ColumnNormalizer {
  readonly #attribute: AttributeDocument;
  readonly #terms: ColumnTerms;
  readonly #changes: PropertyChanges;
  #constraints: Record<string, unknown>;
  #type: string;
  #formerConstraints: Readonly<Record<string, unknown>> = {};

  constructor(attribute: AttributeDocument, terms: ColumnTerms) {
    this.#attribute = attribute;
    this.#terms = terms;
    this.#changes = new PropertyChanges(attribute.properties);
    this.#constraints = { ...attribute.constraints };
    this.#type = attribute.type;
  }

  normalize(): AttributeDocument {
    this.#normalizeType();
    this.#normalizeCollation();
    this.#normalizeArguments();
    const logicalType = this.#findLogicalType();
    this.#readChecks(logicalType);
    this.#normalizeDefault(logicalType);
    this.#normalizeIdentity();
    this.#normalizeFormulas();
    const { properties: _, constraints: __, ...others } = this.#attribute;
    const hasConstraints = Object.keys(this.#constraints).length > 0;
    return {
      ...others,
      type: this.#type,
      // The values were constraints, or are those of the checks.
      ...(hasConstraints && { constraints: this.#constraints as Constraints }),
      ...this.#changes.toMember(),
    };
  }

  get #typeName(): string {
    return this.#type.slice("key:".length);
  }

  #setType(name: string): void {
    this.#changes.keep("type", this.#terms.types.findFormerName(this.#attribute.type) ?? this.#typeName);
    this.#type = `key:${name}`;
  }

  #findLogicalType(): LogicalType | undefined {
    const { properties: _, constraints: __, ...others } = this.#attribute;
    // The type depends on arguments, which are properties and constraints.
    const constraints = this.#constraints as Constraints;
    const attribute = { ...others, type: this.#type, constraints, ...this.#changes.toMember() };
    return findAttributeType(attribute, this.#terms.document).logicalType;
  }

  #normalizeType(): void {
    const { types, isJson, rules } = this.#terms;
    const former = types.findFormerName(this.#type);
    if (former !== undefined) {
      this.#changes.keep("type", former);
      this.#type = types.toRef(this.#type);
    }
    // MariaDB stores JSON as a text with a check.
    if (isJson && this.#typeName === "longtext") {
      this.#setType("json");
      for (const name of ["charset", "collation"]) this.#changes.replace(name, undefined);
    }
    const digits = Number(this.#changes.getText("arguments") ?? Number.NaN);
    const floats = FLOATS[rules.dialect];
    if (floats && /^(float|double precision)$/.test(this.#typeName) && Number.isInteger(digits)) {
      this.#changes.replace("arguments", undefined);
      const name = digits <= SINGLE_DIGITS ? floats.single : floats.double;
      if (name !== this.#typeName) this.#setType(name);
    }
  }

  #normalizeCollation(): void {
    const { collation: table, rules } = this.#terms;
    if (rules.dialect !== "mysql" || !table) return;
    const [charset, collation] = [this.#changes.getText("charset"), this.#changes.getText("collation")];
    const options = this.#changes.get("options");
    const isBinary = Array.isArray(options) && options.some((one) => /^binary$/i.test(String(one)));
    if (isBinary)
      this.#changes.replace(
        "options",
        options.filter((one) => !/^binary$/i.test(String(one))),
      );
    if (charset === undefined && collation === undefined && !isBinary) return;
    const own = describeCollation(readCollation(charset, collation, isBinary, table), table);
    this.#changes.replace("charset", own.charset);
    this.#changes.replace("collation", own.collation);
  }

  /** Removes arguments that are defaults, and widths, which change no value. */
  #normalizeArguments(): void {
    const { rules, document } = this.#terms;
    const changes = this.#changes;
    if (rules.dialect === "mysql" && this.#typeName === "tinyint" && changes.get("written") === "boolean") {
      changes.replace("written", undefined);
      changes.replace("arguments", "1");
    }
    const attribute = { ...this.#attribute, type: this.#type, ...changes.toMember() };
    const { hasWidthOnly, logicalType } = findAttributeType(attribute, document);
    const isBoolean = this.#typeName === "tinyint" && logicalType?.type === "boolean";
    if (hasWidthOnly && !isBoolean) changes.replace("arguments", undefined);
    const defaults = rules.typeArguments[this.#typeName];
    if (!defaults) return;
    if (defaults.arguments === changes.get("arguments")) changes.replace("arguments", undefined);
    if (defaults.maxLength !== undefined && this.#constraints.maxLength === undefined) {
      this.#constraints.maxLength = defaults.maxLength;
    }
    const scale = changes.get("scale");
    if (scale === 0) changes.replace("scale", undefined);
    if ((scale ?? 0) === 0 && changes.get("precision") === defaults.precision) changes.replace("precision", undefined);
  }

  #readChecks(logicalType: LogicalType | undefined): void {
    const { keywords } = this.#terms;
    if (Object.keys(keywords).length > 0) this.#constraints = { ...keywords, ...this.#constraints };
    const { enum: values } = this.#constraints;
    if (!Array.isArray(values)) return;
    const own = [...new Set(values.map((value) => this.#readValue("enum", value, logicalType)))];
    if (!isSameValue(own, values)) this.#keepConstraint("enum", values);
    this.#constraints.enum = own;
  }

  #readValue(keyword: string, value: unknown, logicalType: LogicalType | undefined): unknown {
    const { entity, addMisfit, rules } = this.#terms;
    const { value: own, isMisfit } = readColumnValue(value, logicalType, rules);
    if (isMisfit) addMisfit({ entity, attribute: this.#attribute.key, keyword, value, type: this.#typeName });
    return own;
  }

  #normalizeDefault(logicalType: LogicalType | undefined): void {
    const text = this.#changes.getText("default");
    if (text !== undefined) {
      const expression = this.#terms.expressions.parse(text);
      if (!expression) this.#changes.replace("default", this.#terms.expressions.joinTokens(text));
      else this.#replaceExpression(expression, logicalType);
      return;
    }
    if (!Object.hasOwn(this.#constraints, "default")) return;
    const written = this.#constraints.default;
    this.#setDefault(this.#readValue("default", written, logicalType), logicalType);
  }

  #replaceExpression(expression: Expression, logicalType: LogicalType | undefined): void {
    const { expressions } = this.#terms;
    if (expression.is === "constant" && expression.value === "NULL") this.#changes.replace("default", undefined);
    else if (this.#isOwnSequence(expression)) {
      this.#changes.replace("default", undefined);
      this.#changes.replace("identity", GENERATED);
    } else {
      const value = readDefault(expression, logicalType);
      if (value === undefined) this.#changes.replace("default", expressions.format(expression));
      else this.#setDefault(this.#readValue("default", value, logicalType), logicalType);
    }
  }

  /** Replaces the default by a value. A number that JSON cannot represent, and a misfit, are expressions. */
  #setDefault(value: unknown, logicalType: LogicalType | undefined): void {
    const { rules } = this.#terms;
    const written = this.#constraints.default;
    const isNumber = logicalType && /^(integer|decimal|float)$/.test(logicalType.type);
    const isExpression = isNumber && typeof value === "string";
    const text = isExpression ? (toDecimalText(value) ?? formatText(value, rules.notation)) : undefined;
    this.#changes.replace("default", text);
    if (written !== undefined && (isExpression || value !== written)) this.#keepConstraint("default", written);
    if (isExpression) delete this.#constraints.default;
    else this.#constraints.default = value;
  }

  #keepConstraint(keyword: string, value: unknown): void {
    this.#formerConstraints = { ...this.#formerConstraints, [keyword]: value };
    this.#changes.keep("constraints", this.#formerConstraints);
  }

  #isOwnSequence(expression: Expression): boolean {
    if (expression.is !== "call" || expression.name !== "nextval") return false;
    const [sequence] = expression.operands;
    if (sequence?.is !== "text") return false;
    return isMadeSequence(removeQualifier(sequence.value), this.#terms.table, getSourceName(this.#attribute));
  }

  #normalizeIdentity(): void {
    const { rules, table } = this.#terms;
    const identity = this.#changes.get("identity");
    if (rules.naming !== "postgresql" || typeof identity !== "string") return;
    if (/serial/.test(identity)) {
      this.#changes.replace("identity", GENERATED);
      return;
    }
    const [, mode = identity, options] = /^(always|by default) \((.*)\)$/s.exec(identity) ?? [];
    if (options === undefined) return;
    const own = removeDefaultOptions(options, (name) =>
      isMadeSequence(removeQualifier(name), table, getSourceName(this.#attribute)),
    );
    this.#changes.replace("identity", own === "" ? mode : `${mode} (${own})`);
  }

  #normalizeFormulas(): void {
    const { expressions, rules } = this.#terms;
    for (const name of ["generated", "onUpdate"]) {
      const text = this.#changes.getText(name);
      if (text !== undefined && !/^row (start|end)$/.test(text)) {
        this.#changes.replace(name, expressions.normalize(text));
      }
    }
    if (rules.dialect === "mysql" && this.#changes.get("stored") === false) this.#changes.replace("stored", undefined);
  }
}

/** How PostgreSQL describes an identity that a statement can override, which a serial type creates as well. */
const GENERATED = "by default";

const SINGLE_DIGITS = 24;

/** Names of the types of floating-point numbers with a number of digits. */
const FLOATS: Readonly<Record<string, { readonly single: string; readonly double: string }>> = {
  postgresql: { single: "real", double: "double precision" },
  redshift: { single: "real", double: "double precision" },
  mysql: { single: "float", double: "double" },
  tsql: { single: "real", double: "float" },
};

/** Returns the value of a literal default; undefined for an expression. */
function readDefault(expression: Expression, logicalType: LogicalType | undefined): unknown {
  if (expression.is === "bits" && logicalType?.type === "bits") return /^b'([01]*)'$/.exec(expression.value)?.[1];
  return readLiteral(expression) ?? (expression.is === "number" ? expression.value : undefined);
}

const DEFAULT_OPTIONS =
  /\b(start\s+(with\s+)?1|increment\s+(by\s+)?1|no\s+minvalue|no\s+maxvalue|cache\s+1|no\s+cycle)\b/gi;

const OPTION_WORDS = /\b(sequence|name|start|with|increment|by|no|minvalue|maxvalue|cache|cycle|restart)\b/gi;

/** Removes the options of an identity that the database adds. */
function removeDefaultOptions(options: string, isMade: (sequence: string) => boolean): string {
  return options
    .replace(/\bsequence\s+name\s+(\S+)/i, (text, name: string) => (isMade(name) ? "" : text))
    .replace(DEFAULT_OPTIONS, "")
    .replace(OPTION_WORDS, (word) => word.toUpperCase())
    .replace(/\bSTART (?!WITH)/, "START WITH ")
    .replace(/\bINCREMENT (?!BY)/, "INCREMENT BY ")
    .replace(/\s+/g, " ")
    .trim();
}
