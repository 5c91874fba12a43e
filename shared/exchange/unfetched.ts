/** The error of a source that could not be fetched; its words hold nothing that the other side sent. */
export class Unfetched extends Error {
  /** True when the source is larger than a limit. */
  readonly tooLarge: boolean;

  constructor(reason: string, tooLarge = false) {
    super(reason);
    this.name = "Unfetched";
    this.tooLarge = tooLarge;
  }
}
