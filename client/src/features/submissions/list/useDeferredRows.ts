import type { SubmissionRow } from '@assay/shared/submissions.ts'
import { useDeferredValue } from 'react'

interface Heights {
  /** Of what stands above the first row at least, in px. */
  above: number
  /** Of a row at least, in px. */
  row: number
}

/** The rows to draw: first those in sight, then all of the page without holding anything up. */
export function useDeferredRows(rows: SubmissionRow[], { above, row }: Heights): SubmissionRow[] {
  const inSight = Math.max(1, Math.ceil((innerHeight - above) / row))
  return useDeferredValue(rows, rows.slice(0, inSight))
}
