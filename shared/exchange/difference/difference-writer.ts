import type { ComparedDocuments } from "../../actions/contract/ports.ts";
import type { Findings } from "../findings.ts";
import type { WrittenFile } from "../writer.ts";

/** Writes the difference of two models; what the format cannot say of it goes to the findings, by its place below `/left` or `/right`. */
export type DifferenceWriter = (compared: ComparedDocuments, findings: Findings) => WrittenFile | Promise<WrittenFile>;
