import type { SeenGrade } from '@assay/shared/grade-approvals.ts'
import { listSubmissionIds, type SubmissionOrder, type SubmissionRow } from '@assay/shared/submissions.ts'
import { useCallback, useRef, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'
import { tryWithToast } from '../../../lib/toast.ts'
import { studentName } from '../review/student-name.ts'
import { canBeApproved } from './row-status.ts'
import { nonDefaultOrder } from './useListView.ts'

export interface Selection {
  ids: ReadonlySet<number>
  /** As last seen here. Those on pages never opened may have nothing to approve. */
  toApprove: SeenGrade[]
  select: (ids: readonly number[], on: boolean) => void
  clear: () => void
  selectAll: () => Promise<void>
  selectingAll: boolean
  nameOf: (id: number) => string
}

/** Stays on other pages and under other filters, until it is cleared or gone. */
export function useSelection(assignmentId: number, order: SubmissionOrder, rows: readonly SubmissionRow[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [selectingAll, setSelectingAll] = useState(false)
  const seen = useRef(new Map<number, SubmissionRow>())
  const listed = useRef(new Map<number, SubmissionRow['grade']>())
  for (const row of rows) seen.current.set(row.id, row)
  const select = useCallback((changed: readonly number[], on: boolean) => {
    setIds((before) => {
      const after = new Set(before)
      for (const id of changed) {
        if (on) after.add(id)
        else after.delete(id)
      }
      return after
    })
  }, [])

  async function selectAll() {
    setSelectingAll(true)
    await tryWithToast('The submissions could not be selected. Please try again.', async () => {
      const all = await callApi(listSubmissionIds, { params: { assignmentId }, query: nonDefaultOrder(order) })
      listed.current = new Map(all.body.map(({ id, grade }) => [id, grade]))
      select([...listed.current.keys()], true)
    })
    setSelectingAll(false)
  }
  return {
    ids,
    toApprove: [...ids].flatMap((submission_id) => {
      const row = seen.current.get(submission_id)
      const grade = row ? canBeApproved(row) && row.grade : listed.current.get(submission_id)
      return grade ? [{ submission_id, grade_id: grade.id, revision: grade.revision }] : []
    }),
    select,
    clear: useCallback(() => setIds(new Set()), []),
    selectAll,
    selectingAll,
    nameOf(id) {
      const row = seen.current.get(id)
      return row ? studentName(row) : `#${id}`
    },
  }
}
