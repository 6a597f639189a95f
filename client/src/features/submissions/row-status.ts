import type { SubmissionRow } from '@assay/shared/submissions.ts'
import type { Status } from '../../components/StatusMark.tsx'

/** How a row's state is shown: an icon's name and a word. */
export function rowStatus(row: SubmissionRow): { status: Status; word: string } {
  switch (row.status) {
    case 'failed':
      return { status: 'failed', word: 'Failed' }
    case 'queued':
      return { status: 'pending', word: 'Waiting' }
    case 'reading':
      return { status: 'working', word: 'Reading' }
    case 'grading':
      return { status: 'working', word: 'Grading' }
    case 'graded':
      return row.needs_review ? { status: 'flagged', word: 'Flagged' } : { status: 'graded', word: 'Graded' }
    case 'uploaded':
      return { status: 'pending', word: 'Pending' }
  }
}

export const hasGrade = (row: SubmissionRow) => row.final_score_after_review !== null

export interface Counts {
  all: number
  graded: number
  flagged: number
  failed: number
  /** Neither graded nor failed. */
  pending: number
  /** Graded, but not shown to students. */
  unreleased: number
  /** Those of them whose student would see it. */
  awaited: number
  /** With a grade, but belonging to no enrolled student. */
  ownerless: number
}

export function countRows(rows: readonly SubmissionRow[]): Counts {
  const counts: Counts = {
    all: rows.length,
    graded: 0,
    flagged: 0,
    failed: 0,
    pending: 0,
    unreleased: 0,
    awaited: 0,
    ownerless: 0,
  }
  for (const row of rows) {
    if (row.status === 'failed') counts.failed++
    if (row.needs_review) counts.flagged++
    if (hasGrade(row)) {
      counts.graded++
      if (!row.released) counts.unreleased++
      if (!row.released && row.student) counts.awaited++
      if (!row.student) counts.ownerless++
    } else if (row.status !== 'failed') counts.pending++
  }
  return counts
}

export const filters = ['all', 'flagged', 'failed', 'pending', 'graded'] as const
export type Filter = (typeof filters)[number]

export function passes(row: SubmissionRow, filter: Filter, search: string): boolean {
  if (filter === 'flagged' && !row.needs_review) return false
  if (filter === 'failed' && row.status !== 'failed') return false
  if (filter === 'pending' && (hasGrade(row) || row.status === 'failed')) return false
  if (filter === 'graded' && !hasGrade(row)) return false
  if (search === '') return true
  const text = `#${row.id} ${row.student_identifier} ${row.student?.full_name ?? ''} ${row.file_name}`
  return text.toLowerCase().includes(search.toLowerCase())
}
