import { type Assignment, publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import type { LmsScores } from '@assay/shared/lti/lti-scores.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button, Radio } from '@mantine/core'
import { IconAlertTriangle, IconCircle, IconFlag, IconPencil, IconUserQuestion } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { ApiError, asApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { ClearLmsScores, LmsReleaseNote } from '../../lti/scores/LmsPublishing.tsx'
import classes from './PublishSummary.module.css'

interface Props {
  assignment: Assignment
  counts: SubmissionCounts
  lmsScores: LmsScores | undefined
  isNext: boolean
  changed: (assignment: Assignment) => void
}

type Confirmation = 'publish' | 'release' | 'unpublish'

/** Release is for what was graded since publishing; each says first what students will see. */
export function PublishButtons({ assignment, counts, lmsScores, isNext, changed }: Props) {
  const [question, setQuestion] = useState<Confirmation | null>(null)
  const publish = useSend(publishAssignment)
  const unpublish = useSend(unpublishAssignment)
  const refresh = useRevalidate()
  const isDraft = assignment.status === 'draft'
  const released = counts.graded - counts.unreleased
  const [clearing, setClearing] = useState(false)
  const [reviewedOnly, setReviewedOnly] = useState(false)
  const ask = (which: Confirmation) => {
    setClearing(false)
    setReviewedOnly(false)
    setQuestion(which)
  }
  const close = () => setQuestion(null)
  const summary = { counts, inCourse: assignment.course_id !== null, reviewedOnly, setReviewedOnly }
  const namesStayHidden = assignment.anonymous?.names_hidden && <p>Names stay hidden until you show them.</p>

  async function change(which: Confirmation) {
    const params = { assignmentId: assignment.id }
    try {
      const next =
        which === 'unpublish'
          ? await unpublish.send({ params, body: { clear_lms_scores: clearing } })
          : await publish.send({ params, body: { reviewed_only: reviewedOnly } })
      toast.success(successMessages[which])
      changed(next)
      void refresh('/courses', '/assignments?', `/assignments/${assignment.id}/lms-scores`)
    } catch (cause) {
      const error = asApiError(cause)
      const words =
        error.status === 404
          ? 'Cannot change status: Assignment data is missing.'
          : messageOf(error, 'Failed to change assignment status.')
      throw new ApiError(error.status, { ...error.reply, detail: words })
    }
  }

  return (
    <>
      {!isDraft && counts.unreleased > 0 && (
        <Button variant={isNext ? 'filled' : 'default'} onClick={() => ask('release')}>
          Release {plural(counts.unreleased, 'new grade')}
        </Button>
      )}
      <Button variant={isNext && isDraft ? 'filled' : 'default'} onClick={() => ask(isDraft ? 'publish' : 'unpublish')}>
        {isDraft ? 'Publish' : 'Unpublish'}
      </Button>
      <ConfirmModal
        opened={question === 'publish'}
        close={close}
        title={`Publish “${assignment.title}”?`}
        confirmLabel="Publish"
        onConfirm={() => change('publish')}
      >
        <PublishSummary {...summary}>
          <LmsReleaseNote scores={lmsScores} />
          {namesStayHidden}
        </PublishSummary>
      </ConfirmModal>
      <ConfirmModal
        opened={question === 'release'}
        close={close}
        title={`Release ${plural(counts.unreleased, 'new grade')}?`}
        confirmLabel={`Release ${plural(reviewedOnly ? counts.unreleased_reviewed : counts.unreleased, 'grade')}`}
        onConfirm={() => change('release')}
      >
        <PublishSummary {...summary} releasing>
          <LmsReleaseNote scores={lmsScores} />
          {namesStayHidden}
        </PublishSummary>
      </ConfirmModal>
      <ConfirmModal
        opened={question === 'unpublish'}
        close={close}
        title={`Unpublish “${assignment.title}”?`}
        confirmLabel="Unpublish"
        dangerous
        onConfirm={() => change('unpublish')}
      >
        <p>Students will no longer see this assignment, nor their grades and feedback.</p>
        {released > 0 && (
          <p>
            <strong>This hides {plural(released, 'released grade')}.</strong> Publishing again releases the grades at
            that time.
          </p>
        )}
        <p>Nothing is deleted. You can publish it again at any time.</p>
        <ClearLmsScores scores={lmsScores} checked={clearing} change={setClearing} />
      </ConfirmModal>
    </>
  )
}

const successMessages: Record<Confirmation, string> = {
  publish: 'Assignment published successfully!',
  release: 'New grades released.',
  unpublish: 'Assignment unpublished successfully!',
}

interface PublishSummaryProps {
  counts: SubmissionCounts
  inCourse: boolean
  releasing?: boolean
  reviewedOnly: boolean
  setReviewedOnly: (only: boolean) => void
  children?: ReactNode
}

function PublishSummary({ counts, inCourse, releasing = false, children, ...choice }: PublishSummaryProps) {
  const { partners = { graded: 0, unreleased: 0 } } = counts
  const seen = releasing
    ? counts.unreleased_matched + partners.unreleased
    : counts.graded - counts.graded_unmatched + partners.graded
  return (
    <>
      {inCourse ? (
        <p>
          <strong>
            {choice.reviewedOnly && counts.unreleased_reviewed > 0
              ? 'Students whose grades are reviewed will see their grades and feedback.'
              : visibilityText(choice.reviewedOnly ? 0 : seen, releasing)}
          </strong>{' '}
          They also see that AI was used and how to request a regrade.
        </p>
      ) : (
        <p>
          <strong>This assignment has no course, so students cannot see it</strong> or its grades, published or not.
        </p>
      )}
      {inCourse && <UnreviewedChoice counts={counts} releasing={releasing} {...choice} />}
      {children}
      <ul className={classes.list}>
        <Concern show={counts.flagged > 0} icon={<IconFlag size={16} aria-hidden />} tone="warn">
          {plural(counts.flagged, 'grade')} flagged and not reviewed yet
        </Concern>
        <Concern show={counts.by_hand > 0} icon={<IconPencil size={16} aria-hidden />} tone="warn">
          {plural(counts.by_hand, 'paper has', 'papers have')} answers to grade by hand; until you do,{' '}
          {counts.by_hand === 1 ? 'its student sees' : 'their students see'} no total
        </Concern>
        <Concern show={counts.failed > 0} icon={<IconAlertTriangle size={16} aria-hidden />} tone="bad">
          {plural(counts.failed, 'paper')} failed and {counts.failed === 1 ? 'has' : 'have'} no grade
        </Concern>
        <Concern show={counts.pending > 0} icon={<IconCircle size={16} aria-hidden />}>
          {plural(counts.pending, 'paper')} not graded yet;{' '}
          {counts.pending === 1 ? 'its grade stays hidden' : 'their grades stay hidden'} until you release{' '}
          {counts.pending === 1 ? 'it' : 'them'}
        </Concern>
        <Concern show={inCourse && counts.graded_unmatched > 0} icon={<IconUserQuestion size={16} aria-hidden />}>
          {plural(counts.graded_unmatched, 'graded paper')} {counts.graded_unmatched === 1 ? 'belongs' : 'belong'} to no
          enrolled student, so nobody can see {counts.graded_unmatched === 1 ? 'its grade' : 'their grades'}
        </Concern>
      </ul>
    </>
  )
}

function UnreviewedChoice({
  counts: { unreleased, unreleased_reviewed: reviewed },
  releasing,
  reviewedOnly,
  setReviewedOnly,
}: Pick<PublishSummaryProps, 'counts' | 'releasing' | 'reviewedOnly' | 'setReviewedOnly'>) {
  const unreviewed = unreleased - reviewed
  if (unreviewed <= 0) return null
  const some = unreviewed === unreleased ? 'any' : formatCount(unreviewed)
  const which = unreleased === 1 ? 'this grade' : `${some} of these ${plural(unreleased, 'grade')}`
  const said = `Nobody has reviewed ${which}.`
  if (releasing && reviewed === 0) return <p>{said}</p>
  return (
    <Radio.Group
      label={`${said} Release ${unreviewed === 1 ? 'it' : 'them'} too?`}
      value={reviewedOnly ? 'reviewed' : 'all'}
      onChange={(value) => setReviewedOnly(value === 'reviewed')}
    >
      <Radio
        value="all"
        label={unreleased === 1 ? 'Yes, release it' : `Yes, release all ${plural(unreleased, 'grade')}`}
        mt="xs"
      />
      <Radio
        value="reviewed"
        label={reviewed > 0 ? `No, only the ${formatCount(reviewed)} reviewed` : 'No, none of them yet'}
        mt="xs"
      />
    </Radio.Group>
  )
}

function visibilityText(seen: number, releasing: boolean): string {
  if (seen > 0)
    return `${plural(seen, 'student')} will see ${seen === 1 ? 'their grade' : 'their grades'} and feedback.`
  return releasing ? 'Students will see nothing new.' : 'Students will see the assignment, but no grades yet.'
}

function Concern(props: { show: boolean; icon: ReactNode; tone?: 'warn' | 'bad'; children: ReactNode }) {
  if (!props.show) return null
  return (
    <li data-tone={props.tone}>
      {props.icon}
      <span>{props.children}</span>
    </li>
  )
}
