import type { BulkRosterReply, RosterJob, RosterResult } from '@assay/shared/roster.ts'
import type { RosterImportDoc } from '../../records/courses/roster-import.model.ts'
import { listImportSteps } from './roster-import.ts'

export function presentResults(
  results: RosterResult[],
  more: Pick<BulkRosterReply, 'notes' | 'job_id'>,
): BulkRosterReply {
  const failed = results.filter(({ success }) => !success).length
  return {
    total_processed: results.length,
    successful_enrollments: results.length - failed,
    failed_enrollments: failed,
    results: results.toSorted((a, b) => a.row - b.row),
    ...more,
  }
}

export async function presentImport(doc: RosterImportDoc): Promise<RosterJob> {
  const steps = (await listImportSteps(doc._id)).filter(({ done }) => done)
  const failures = steps.flatMap((step) => step.failures)
  const succeeded = steps.reduce((sum, step) => sum + step.succeeded, 0)
  return {
    id: doc._id,
    state: doc.state,
    file_name: doc.file_name,
    total_rows: doc.total_rows,
    total_processed: succeeded + failures.length,
    successful_enrollments: succeeded,
    failed_enrollments: failures.length,
    results: failures.toSorted((a, b) => a.row - b.row),
    notes: doc.notes,
    created_at: doc.created_at.toISOString(),
    finished_at: doc.finished_at?.toISOString() ?? null,
  }
}
