import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { useDeferredValue } from 'react'

/** As many as a screen shows before anybody scrolls. */
const INITIAL_ROWS = 12

/** The rows to draw: first those in sight, then all of the page without holding anything up. */
export function useDeferredRows(rows: SubmissionRow[]): SubmissionRow[] {
  return useDeferredValue(rows, rows.slice(0, INITIAL_ROWS))
}
