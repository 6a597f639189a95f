import { getAssignment } from '@assay/shared/assignments.ts'
import type { ServerEvents } from '@assay/shared/realtime.ts'
import { listRuns, type Run } from '@assay/shared/runs.ts'
import {
  countSubmissions,
  listSubmissions,
  type SubmissionOrder,
  type SubmissionRow,
} from '@assay/shared/submissions.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useGet, useRevalidate } from '../../lib/api/api-hooks.ts'
import { type ConnectionState, useAssignmentEvents } from '../../lib/api/realtime.ts'
import { toast } from '../../lib/toast.ts'
import { nonDefaultOrder, PER_PAGE } from './list/useListView.ts'

/** Changed rows are drawn together: a run over a thousand papers changes many a second. */
const BATCH_EVENTS_MS = 200
/** Counts, and which rows fit a filter, are reloaded no more often than this while rows change. */
const RECOUNT_MS = 1500
const POLL_ACTIVE_MS = 3000
const POLL_IDLE_MS = 20_000
/** While not even polling gets an answer. */
const RETRY_MS = 5000

const isActive = (run: Run) => !['completed', 'stopped', 'failed'].includes(run.status)

/** Updated by events, or polled without them. One page only: the server counts and sorts ten thousand rows. */
export function useSubmissions(assignmentId: number, order: SubmissionOrder, page: number) {
  // Starts by polling: whether events come is known only after the lists.
  const [askEvery, setAskEvery] = useState(0)
  const refresh = useRevalidate()
  const assignment = useGet(getAssignment, { assignmentId })
  const counts = useGet(countSubmissions, { assignmentId }, undefined, { refreshIntervalMs: askEvery })
  const changed = nonDefaultOrder(order)
  const plain = Object.keys(changed).length === 0
  const rows = useGet(
    listSubmissions,
    { assignmentId },
    { ...changed, skip: (page - 1) * PER_PAGE, limit: PER_PAGE },
    { refreshIntervalMs: askEvery, keepPreviousData: true },
  )
  const runs = useGet(listRuns, { assignmentId }, undefined, { refreshIntervalMs: askEvery })
  const run = runs.data?.find(isActive) ?? null
  // Until then a run may be under way.
  const knowsRun = runs.data !== undefined || runs.error !== undefined
  const runFailure = run ? null : (runs.data?.[0]?.failure ?? null)

  const { patch: patchRows, reload: reloadRows } = rows
  const { patch: patchRuns, reload: reloadRuns } = runs
  const { reload: reloadAssignment } = assignment
  const { reload: reloadCounts } = counts

  const reloadLms = useCallback(() => void refresh(`/assignments/${assignmentId}/lms-scores`), [refresh, assignmentId])
  const reload = useCallback(async () => {
    reloadLms()
    return (await Promise.all([reloadRows(), reloadCounts(), reloadRuns(), reloadAssignment()])).every(Boolean)
  }, [reloadLms, reloadRows, reloadCounts, reloadRuns, reloadAssignment])

  // Papers came in, or went, elsewhere.
  const strays = plain && counts.data !== undefined && rows.total !== null && counts.data.all !== rows.total
  useEffect(() => {
    if (strays) void reloadRows().catch(() => undefined)
  }, [strays, reloadRows])

  const gathered = useRef(new Map<number, SubmissionRow>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const counting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      clearTimeout(counting.current)
      counting.current = undefined
    },
    [],
  )
  const isStale = useRef(false)
  const askAgain = useRef(() => {})
  askAgain.current = () => {
    counting.current = undefined
    void reloadCounts().catch(() => undefined)
    reloadLms()
    // With another order or a filter, a changed row may have to move or go.
    if (!plain || isStale.current) void reloadRows().catch(() => undefined)
    // The class's results may make a key doubtful.
    if (isStale.current) void reloadAssignment().catch(() => undefined)
    isStale.current = false
  }

  const handlers = useMemo<Partial<ServerEvents>>(() => {
    function draw() {
      timer.current = undefined
      const changed = new Map(gathered.current)
      gathered.current.clear()
      patchRows((list) => list.map((row) => changed.get(row.id) ?? row))
      counting.current ??= setTimeout(() => askAgain.current(), RECOUNT_MS)
    }
    function askForRows(event: { assignment_id: number }) {
      if (event.assignment_id !== assignmentId) return
      isStale.current = true
      counting.current ??= setTimeout(() => askAgain.current(), RECOUNT_MS)
    }
    return {
      submission_changed(row) {
        if (row.assignment_id !== assignmentId) return
        gathered.current.set(row.id, row)
        timer.current ??= setTimeout(draw, BATCH_EVENTS_MS)
      },
      submissions_changed: askForRows,
      question_changed: askForRows,
      run_changed(changed) {
        if (changed.assignment_id !== assignmentId) return
        patchRuns((list) => [changed, ...list.filter((one) => one.id !== changed.id)])
      },
      lms_scores_changed(event) {
        if (event.assignment_id === assignmentId) reloadLms()
      },
      assignment_completion(event) {
        if (event.assignment_id !== assignmentId) return
        const { graded, failed } = event
        if (failed === 0) toast.success(event.message)
        else if (graded === 0) toast.error(event.message)
        else toast.info(event.message)
        void reload()
      },
    }
  }, [assignmentId, patchRows, patchRuns, reload, reloadLms])

  const onReturn = useCallback(() => void reload(), [reload])
  const isKnown = rows.data !== undefined || rows.error !== undefined
  const connection = useAssignmentEvents(assignmentId, handlers, onReturn, { ready: isKnown })
  const wanted = connection === 'connected' ? 0 : run ? POLL_ACTIVE_MS : POLL_IDLE_MS
  useEffect(() => setAskEvery(wanted), [wanted])

  const lost = useConnectionLost(connection, rows.data !== undefined && rows.error !== undefined, reload)
  return { assignment, rows, counts, run, knowsRun, runFailure, reload, patchRuns, connection, lost, askEvery }
}

/** Neither events nor polling bring anything new. SWR stops polling at its first failure, so here it goes on. */
function useConnectionLost(connection: ConnectionState, refused: boolean, reload: () => Promise<unknown>): boolean {
  const connected = connection === 'connected'
  const was = useRef(connected)
  useEffect(() => {
    // Checked at once, not when the next poll would be due.
    if (was.current && !connected) void reload().catch(() => undefined)
    was.current = connected
  }, [connected, reload])
  const lost = refused && !connected
  useEffect(() => {
    if (!lost) return
    const again = () => void reload().catch(() => undefined)
    const timer = setInterval(again, RETRY_MS)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [lost, reload])
  return lost
}
