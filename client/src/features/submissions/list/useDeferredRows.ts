import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { useDeferredValue } from 'react'

/** The rows to draw: first those in sight, then all of the page without holding anything up. */
export function useDeferredRows(rows: SubmissionRow[], inSight: number): SubmissionRow[] {
  return useDeferredValue(rows, rows.slice(0, inSight))
}
