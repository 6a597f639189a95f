import type { Assignment } from '@assay/shared/assignments.ts'
import {
  checkLmsScores,
  getLmsScores,
  type LmsScore,
  listLmsScores,
  sendLmsScores,
} from '@assay/shared/lti/lti-scores.ts'
import { useCallback, useMemo } from 'react'
import { useGet, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast, tryWithToast } from '../../../lib/toast.ts'
import { linkLabels } from './score-messages.ts'

export type PlacedScore = LmsScore & { place: string | null }

export type LmsScoresState = ReturnType<typeof useLmsScores>

const MAX_IDS = 500

/** Requests nothing where no LMS opens the assignment, or before `ready`. `every` (ms) polls while events fail. */
export function useLmsScores(
  assignment: Pick<Assignment, 'id' | 'lms_names'> | undefined,
  papers: readonly number[],
  { every = 0, ready = true }: { every?: number; ready?: boolean } = {},
) {
  const assignmentId = assignment?.id ?? 0
  const isOpened = (assignment?.lms_names?.length ?? 0) > 0
  const linked = isOpened && ready
  const summary = useGet(getLmsScores, { assignmentId }, undefined, {
    enabled: linked,
    refreshIntervalMs: every,
    keepPreviousData: true,
  })
  const rows = useGet(
    listLmsScores,
    { assignmentId },
    { submission_ids: papers.slice(0, MAX_IDS), limit: MAX_IDS },
    { enabled: linked && papers.length > 0, refreshIntervalMs: every, keepPreviousData: true },
  )
  const { send, sending } = useSend(sendLmsScores)
  const revalidate = useRevalidate()
  const refresh = useCallback(
    () => void revalidate(`/assignments/${assignmentId}/lms-scores`, `/assignments/${assignmentId}`),
    [revalidate, assignmentId],
  )

  // Several where several LMS courses have the student.
  const byPaper = useMemo(() => {
    const found = new Map<number, PlacedScore[]>()
    const links = summary.data?.links.filter(({ gone_since }) => gone_since === null) ?? []
    const labels = links.length > 1 ? linkLabels(links) : null
    for (const row of rows.data ?? []) {
      const paper = row.submission_id
      const place = labels?.get(row.link_id)?.replace(`${row.platform_name}, `, '') ?? null
      if (paper !== null) found.set(paper, [...(found.get(paper) ?? []), { ...row, place }])
    }
    return found
  }, [rows.data, summary.data])

  /** Scores changed in the LMS are sent again only if named or with `changedToo`. */
  const sendAgain = useCallback(
    async (submission_ids?: number[], changedToo = false) => {
      await tryWithToast('The scores could not be sent again. Please try again.', async () => {
        const { queued } = await send({
          params: { assignmentId },
          body: submission_ids ? { submission_ids } : changedToo ? { changed_too: true } : {},
        })
        toast.info(queued > 0 ? `Sending ${plural(queued, 'score')} again.` : 'There was nothing to send again.')
      })
      refresh()
    },
    [send, refresh, assignmentId],
  )

  const checking = useSend(checkLmsScores)
  const sendCheck = checking.send
  const check = useCallback(async () => {
    await tryWithToast('The gradebook could not be read. Please try again.', async () => {
      const { queued } = await sendCheck({ params: { assignmentId } })
      toast.info(queued > 0 ? 'Reading the gradebook.' : 'Assay has no scores there to check.')
    })
    refresh()
  }, [sendCheck, refresh, assignmentId])

  return {
    ...{ assignmentId, byPaper, sendAgain, sending, check, refresh },
    summary: linked ? summary.data : undefined,
    /** It is not known yet, and there will probably be something to say. */
    expected: isOpened && summary.data === undefined && summary.error === undefined,
    checking: checking.sending,
  }
}
