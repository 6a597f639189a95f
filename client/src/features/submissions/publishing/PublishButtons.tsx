import { type Assignment, publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import type { LmsScores } from '@assay/shared/lti/lti-scores.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { ApiError, asApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { ClearLmsScores } from '../../lti/scores/ClearLmsScores.tsx'
import { LmsReleaseNote } from '../../lti/scores/LmsReleaseNote.tsx'
import { PublishSummary } from './PublishSummary.tsx'

interface Props {
  assignment: Assignment
  counts: SubmissionCounts
  /** What goes to the LMS, or is there; undefined where none opens the assignment. */
  lmsScores: LmsScores | undefined
  changed: (assignment: Assignment) => void
}

type Confirmation = 'publish' | 'release' | 'unpublish'

/** Publish, Unpublish, and Release for what was graded since; each says first what students will see. */
export function PublishButtons({ assignment, counts, lmsScores, changed }: Props) {
  const [question, setQuestion] = useState<Confirmation | null>(null)
  const publish = useSend(publishAssignment)
  const unpublish = useSend(unpublishAssignment)
  const refresh = useRevalidate()
  const isDraft = assignment.status === 'draft'
  const released = counts.graded - counts.unreleased
  const [clearing, setClearing] = useState(false)
  const ask = (which: Confirmation) => {
    setClearing(false)
    setQuestion(which)
  }
  const close = () => setQuestion(null)
  const namesStayHidden = assignment.anonymous?.names_hidden && <p>Names stay hidden until you show them.</p>

  async function change(which: Confirmation) {
    const params = { assignmentId: assignment.id }
    try {
      const next =
        which === 'unpublish'
          ? await unpublish.send({ params, body: { clear_lms_scores: clearing } })
          : await publish.send({ params })
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
        <Button onClick={() => ask('release')}>Release {plural(counts.unreleased, 'new grade')}</Button>
      )}
      <Button variant="default" onClick={() => ask(isDraft ? 'publish' : 'unpublish')}>
        {isDraft ? 'Publish' : 'Unpublish'}
      </Button>
      <ConfirmModal
        opened={question === 'publish'}
        close={close}
        title={`Publish “${assignment.title}”?`}
        confirmLabel="Publish"
        onConfirm={() => change('publish')}
      >
        <PublishSummary counts={counts} inCourse={assignment.course_id !== null}>
          <LmsReleaseNote scores={lmsScores} />
          {namesStayHidden}
        </PublishSummary>
      </ConfirmModal>
      <ConfirmModal
        opened={question === 'release'}
        close={close}
        title={`Release ${plural(counts.unreleased, 'new grade')}?`}
        confirmLabel={`Release ${plural(counts.unreleased, 'grade')}`}
        onConfirm={() => change('release')}
      >
        <PublishSummary counts={counts} inCourse={assignment.course_id !== null} releasing>
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
