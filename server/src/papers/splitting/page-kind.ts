export interface PageKind {
  /** From 1; null where it is like none of them. */
  blankPage: number | null
  /** No other page may be meant. */
  sure: boolean
  empty: boolean
}
