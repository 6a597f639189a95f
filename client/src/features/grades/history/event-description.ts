/** What a person did, in sentences; `quote` is what they wrote. */
export interface EventDescription {
  headline: string
  details: string[]
  quote?: string | undefined
}
