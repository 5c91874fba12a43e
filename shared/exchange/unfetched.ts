/** Why a source could not be fetched, in words that hold nothing of what the other side sent. */
export class Unfetched extends Error {
  /** True when the source is larger than a limit. */
  readonly tooLarge: boolean;

  constructor(reason: string, tooLarge = false) {
    super(reason);
    this.name = "Unfetched";
    this.tooLarge = tooLarge;
  }
}
