/** What a scanned page was recognised as. */
export interface PageKind {
  /** The blank's page, from 1; null where it is like none of them. */
  blankPage: number | null
  /** No other page of the blank may be meant. */
  sure: boolean
  /** Nothing is on it. */
  empty: boolean
}
