import { listSubmissionIds, type SubmissionOrder, type SubmissionRow } from '@assay/shared/submissions.ts'
import { useCallback, useRef, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'
import { tryWithToast } from '../../../lib/toast.ts'
import { studentName } from '../review/student-name.ts'
import { canBeApproved } from './row-status.ts'
import { nonDefaultOrder } from './useListView.ts'

export interface Selection {
  ids: ReadonlySet<number>
  /** Those never seen may have nothing to approve. */
  toApprove: number[]
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
      select(all.body, true)
    })
    setSelectingAll(false)
  }
  return {
    ids,
    toApprove: [...ids].filter((id) => {
      const row = seen.current.get(id)
      return !row || canBeApproved(row)
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
