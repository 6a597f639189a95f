import { listSubmissionIds, type SubmissionOrder, type SubmissionRow } from '@assay/shared/submissions.ts'
import { useCallback, useRef, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'
import { tryWithToast } from '../../../lib/toast.ts'
import { studentName } from '../review/student-name.ts'
import { nonDefaultOrder } from './useListView.ts'

export interface Selection {
  ids: ReadonlySet<number>
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
  const names = useRef(new Map<number, string>())
  for (const row of rows) names.current.set(row.id, studentName(row))
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
    select,
    clear: useCallback(() => setIds(new Set()), []),
    selectAll,
    selectingAll,
    nameOf: (id) => names.current.get(id) || `#${id}`,
  }
}
