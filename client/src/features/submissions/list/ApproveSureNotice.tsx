import type { GradeApproval, GradeApprovals } from '@assay/shared/grade-approvals.ts'
import { approveSureGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Progress, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { type QueryResult, useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import classes from './ApproveSureNotice.module.css'

interface Props {
  assignmentId: number
  approvals: Approvals
  published: boolean
  /** While a key may be wrong, nothing is offered: the grader is sure by that key. */
  held: boolean
  counts: Pick<SubmissionCounts, 'suggested' | 'reviewed'>
  reloadList: () => Promise<unknown>
}

/** Also shows an approval's progress and offers to undo it, even after a reload. */
export function ApproveSureNotice({ assignmentId, approvals, published, held, counts, reloadList }: Props) {
  const { suggested, reviewed } = counts
  const { reload } = approvals
  const approving = useSend(approveSureGrades)
  const undoing = useSend(undoGradeApproval)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const [undoneHere, setUndoneHere] = useState<number | null>(null)
  const place = useRef<HTMLDivElement>(null)

  const latest = approvals.data?.latest ?? null
  const underWay = latest?.state === 'applying' || latest?.state === 'undoing'
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !underWay) void reloadList()
    wasUnderWay.current = underWay
  }, [underWay, reloadList])
  const counted = `${suggested}/${reviewed}`
  const knownCounts = useRef(counted)
  useEffect(() => {
    if (knownCounts.current === counted) return
    knownCounts.current = counted
    if (!wasUnderWay.current) void reload()
  }, [counted, reload])

  async function start(send: () => Promise<GradeApproval>) {
    // The button goes: Enter would press the one in its place.
    place.current?.focus()
    try {
      const started = await send()
      approvals.patch(() => ({ sure: 0, latest: started }))
    } catch {
      // Told beside the button; the numbers may have changed.
      await reload()
    }
  }
  const approve = () =>
    start(() => approving.send({ params: { assignmentId }, body: { expected: approvals.data?.sure ?? 0 } }))
  const undo = (approvalId: number) => {
    setUndoneHere(approvalId)
    return start(() => undoing.send({ params: { assignmentId, approvalId } }))
  }

  if (!approvals.data) return approvals.isLikely && !held ? <div className={classes.expected} /> : null
  const { sure } = approvals.data
  const error = approving.error ?? undoing.error
  const over = latest && !underWay && latest.id !== dismissed ? resultWords(latest, undoneHere === latest.id) : null
  const offers = sure > 0 && !underWay && !held
  const says = underWay || offers || over !== null || error !== null
  return (
    // There even with nothing to say: it may have the focus.
    <section
      ref={place}
      tabIndex={-1}
      className={says ? classes.root : classes.silent}
      aria-label={says ? 'Clear grades' : undefined}
    >
      <VisuallyHidden role="status">{underWay ? workingLabel(latest) : over}</VisuallyHidden>
      <ErrorNotice error={error} fallback="The grades could not be changed. Please try again." />
      {underWay && <Working approval={latest} />}
      {over && latest && (
        <Notice
          actions={
            <>
              {latest.state === 'applied' && latest.approved > 0 && (
                <SecondaryButton size="compact-sm" onClick={() => void undo(latest.id)}>
                  Undo
                </SecondaryButton>
              )}
              <SubtleButton
                size="compact-sm"
                onClick={() => {
                  place.current?.focus()
                  setDismissed(latest.id)
                }}
              >
                Close
              </SubtleButton>
            </>
          }
        >
          {over}
        </Notice>
      )}
      {offers && (
        <p className={classes.offer}>
          <SecondaryButton size="compact-sm" loading={approving.sending} onClick={() => void approve()}>
            Approve {plural(sure, 'clear grade')}
          </SecondaryButton>
          <span>
            Nothing is flagged, and the grader is confident in every question.
            {published && ' Students see approved grades at once.'}
          </span>
        </p>
      )}
    </section>
  )
}

const workingLabel = ({ state }: GradeApproval) => (state === 'applying' ? 'Approving grades' : 'Undoing the approval')

function Working({ approval }: { approval: GradeApproval }) {
  const { done, total } = approval
  return (
    <Notice busy>
      {workingLabel(approval)}: {formatCount(done)} of {formatCount(total)}
      <Progress className={classes.bar} value={(100 * done) / Math.max(1, total)} aria-label={workingLabel(approval)} />
    </Notice>
  )
}

function resultWords({ state, approved, skipped, undone }: GradeApproval, undoneHere: boolean): string | null {
  if (state === 'applied') {
    const words = `${plural(approved, 'grade')} approved.`
    if (skipped === 0) return words
    return `${words} ${plural(skipped, 'grade')} changed meanwhile and ${skipped === 1 ? 'was' : 'were'} left alone.`
  }
  if (!undoneHere) return null
  const kept = approved - undone
  const words = `Undone: ${plural(undone, 'grade is a suggestion', 'grades are suggestions')} again.`
  return kept === 0
    ? words
    : `${words} ${plural(kept, 'grade')} changed since and ${kept === 1 ? 'was' : 'were'} left alone.`
}

const POLL_MS = 700

/** More take the server longer than a page should wait: it keeps a place for the answer, most often an offer. */
const FEW_SUGGESTED = 200

type Approvals = ReturnType<typeof useGradeApprovals>

/**
 * Polls while an approval is under way. Requests nothing where nothing is suggested, since the server looks at every
 * grade. `isAwaited`: the page must not be drawn without the answer, which would move it.
 */
export function useGradeApprovals(
  assignmentId: number,
  counts: Pick<SubmissionCounts, 'suggested' | 'reviewed'> | undefined,
  { grading, drawn }: { grading: boolean; drawn: boolean },
): QueryResult<GradeApprovals> & { isAwaited: boolean; isLikely: boolean } {
  const [polling, setPolling] = useState(false)
  const { suggested, reviewed } = counts ?? { suggested: 0, reviewed: 0 }
  const few = suggested <= FEW_SUGGESTED
  const enabled = !grading && suggested + reviewed > 0 && (few || drawn)
  const approvals = useGet(getGradeApprovals, { assignmentId }, undefined, {
    enabled,
    refreshIntervalMs: polling ? POLL_MS : 0,
    retry: false,
  })
  const state = approvals.data?.latest?.state
  const underWay = state === 'applying' || state === 'undoing'
  if (polling !== underWay) setPolling(underWay)
  const answered = approvals.data !== undefined || approvals.error !== undefined
  return { ...approvals, isAwaited: enabled && few && !answered, isLikely: !few && !answered }
}
