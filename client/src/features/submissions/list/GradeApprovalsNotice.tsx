import type { GradeApproval } from '@assay/shared/grade-approvals.ts'
import { approveGrades, getGradeApprovals, undoGradeApproval } from '@assay/shared/grade-approvals.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Progress, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import classes from './GradeApprovalsNotice.module.css'

interface Props {
  assignmentId: number
  approvals: Approvals
  published: boolean
  /** While a key may be wrong, nothing is offered: the grader is sure by that key. */
  held: boolean
  counts: Pick<SubmissionCounts, 'suggested' | 'reviewed'>
  reloadList: () => Promise<unknown>
}

/** The offer to approve what is clear, and how the latest approval goes, with its undoing, even after a reload. */
export function GradeApprovalsNotice({ assignmentId, approvals, published, held, counts, reloadList }: Props) {
  const { suggested, reviewed } = counts
  const { reload, place, approving, undoing } = approvals
  const [dismissed, setDismissed] = useState<number | null>(null)
  const [undoneHere, setUndoneHere] = useState<number | null>(null)

  const latest = approvals.data?.latest ?? null
  const { underWay } = approvals
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

  function undo(approvalId: number) {
    setUndoneHere(approvalId)
    void approvals.start(() => undoing.send({ params: { assignmentId, approvalId } }))
  }

  const error = approving.error ?? undoing.error
  const sure = approvals.data?.sure ?? 0
  const over = latest && !underWay && latest.id !== dismissed ? resultWords(latest, undoneHere === latest.id) : null
  const offers = sure > 0 && !underWay && !held
  const says = underWay || offers || over !== null || error !== null
  const expected = !approvals.data && approvals.isLikely && !held
  return (
    // There even with nothing to say: it may have the focus.
    <section
      ref={place}
      tabIndex={-1}
      className={says ? classes.root : expected ? classes.expected : classes.silent}
      aria-label={says ? 'Approvals' : undefined}
    >
      <VisuallyHidden role="status">{latest && underWay ? workingLabel(latest) : over}</VisuallyHidden>
      <ErrorNotice error={error} fallback="The grades could not be changed. Please try again." />
      {latest && underWay && <Working approval={latest} />}
      {over && latest && (
        <Notice
          actions={
            <>
              {latest.state === 'applied' && latest.approved > 0 && (
                <SecondaryButton size="compact-sm" loading={approvals.busy} onClick={() => undo(latest.id)}>
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
          <SecondaryButton
            size="compact-sm"
            loading={approvals.busy}
            onClick={() => void approvals.approve({ expected: sure })}
          >
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

function resultWords(latest: GradeApproval, undoneHere: boolean): string | null {
  const { state, chosen, approved, skipped, unfit = 0, undone } = latest
  if (state === 'applied') {
    const words = [`${plural(approved, 'grade')} approved.`]
    if (skipped > 0 && chosen)
      words.push(
        `${plural(skipped, 'paper was', 'papers were')} graded again or changed since this list was loaded.`,
        `Look at ${skipped === 1 ? 'it' : 'them'} again.`,
      )
    else if (skipped > 0) words.push(keptWords(skipped, 'meanwhile'))
    if (unfit > 0)
      words.push(`${plural(unfit, 'paper')} left out: already reviewed, or still without a complete grade.`)
    return words.join(' ')
  }
  if (!undoneHere) return null
  const kept = approved - undone
  const words = chosen
    ? `Undone: ${plural(undone, 'grade waits', 'grades wait')} for approval again.`
    : `Undone: ${plural(undone, 'grade is a suggestion', 'grades are suggestions')} again.`
  return kept === 0 ? words : `${words} ${keptWords(kept, 'since')}`
}

const keptWords = (count: number, when: string) =>
  `${plural(count, 'grade')} changed ${when} and ${count === 1 ? 'was' : 'were'} left alone.`

const POLL_MS = 700

/** More take the server longer than a page should wait: it keeps a place for the answer, most often an offer. */
const FEW_SUGGESTED = 200

type Approvals = ReturnType<typeof useGradeApprovals>

/**
 * Polls while an approval is under way. Requests nothing where nothing is graded, since the server looks at every
 * suggestion. `isAwaited`: the page must not be drawn without the answer, which would move it. `approve` says whether
 * it has begun.
 */
export function useGradeApprovals(
  assignmentId: number,
  counts: Pick<SubmissionCounts, 'suggested' | 'graded'> | undefined,
  { grading, drawn }: { grading: boolean; drawn: boolean },
) {
  const [polling, setPolling] = useState(false)
  const approving = useSend(approveGrades)
  const undoing = useSend(undoGradeApproval)
  const place = useRef<HTMLElement>(null)
  const { suggested, graded } = counts ?? { suggested: 0, graded: 0 }
  const few = suggested <= FEW_SUGGESTED
  const enabled = !grading && graded > 0 && (few || drawn)
  const approvals = useGet(getGradeApprovals, { assignmentId }, undefined, {
    enabled,
    refreshIntervalMs: polling ? POLL_MS : 0,
    retry: false,
  })
  const state = approvals.data?.latest?.state
  const underWay = state === 'applying' || state === 'undoing'
  if (polling !== underWay) setPolling(underWay)
  const answered = approvals.data !== undefined || approvals.error !== undefined

  async function start(send: () => Promise<GradeApproval>) {
    // The button goes: Enter would press the one in its place.
    place.current?.focus()
    const latest = await send().catch(() => null)
    if (latest && approvals.data) approvals.patch(() => ({ sure: 0, latest }))
    // Told beside the button; the numbers may have changed.
    else await approvals.reload()
    return latest !== null
  }
  return {
    ...approvals,
    place,
    approving,
    undoing,
    start,
    isAwaited: enabled && few && !answered,
    isLikely: !few && !answered,
    underWay,
    busy: underWay || approving.sending || undoing.sending,
    approve: (body: BodyOf<typeof approveGrades>) => start(() => approving.send({ params: { assignmentId }, body })),
  }
}
