import { type Assignment, publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import type { SubmissionCounts } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../components/ConfirmModal.tsx'
import { useRefresh, useSend } from '../../lib/api.ts'
import { ApiError, asApiError, messageOf } from '../../lib/api-error.ts'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { PublishWords } from './PublishWords.tsx'

interface Props {
  assignment: Assignment
  counts: SubmissionCounts
  changed: (assignment: Assignment) => void
}

type Question = 'publish' | 'release' | 'unpublish'

/** Publish, Unpublish, and Release for what was graded since; each says first what students will see. */
export function PublishButtons({ assignment, counts, changed }: Props) {
  const [question, setQuestion] = useState<Question | null>(null)
  const publish = useSend(publishAssignment)
  const unpublish = useSend(unpublishAssignment)
  const refresh = useRefresh()
  const isDraft = assignment.status === 'draft'
  const released = counts.graded - counts.unreleased
  const close = () => setQuestion(null)

  async function change(which: Question) {
    const endpoint = which === 'unpublish' ? unpublish : publish
    try {
      const next = await endpoint.send({ params: { assignmentId: assignment.id } })
      toast.good(done[which])
      changed(next)
      void refresh('/courses', '/assignments?')
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
        <Button onClick={() => setQuestion('release')}>
          Release {plural(counts.unreleased, 'new grade')}
        </Button>
      )}
      <Button variant="default" onClick={() => setQuestion(isDraft ? 'publish' : 'unpublish')}>
        {isDraft ? 'Publish' : 'Unpublish'}
      </Button>
      <ConfirmModal
        opened={question === 'publish'}
        close={close}
        title={`Publish “${assignment.title}”?`}
        confirmLabel="Publish"
        onConfirm={() => change('publish')}
      >
        <PublishWords counts={counts} inCourse={assignment.course_id !== null} />
      </ConfirmModal>
      <ConfirmModal
        opened={question === 'release'}
        close={close}
        title={`Release ${plural(counts.unreleased, 'new grade')}?`}
        confirmLabel={`Release ${plural(counts.unreleased, 'grade')}`}
        onConfirm={() => change('release')}
      >
        <PublishWords counts={counts} inCourse={assignment.course_id !== null} releasing />
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
            <strong>This hides {plural(released, 'released grade')}.</strong> Publishing again releases what
            stands then.
          </p>
        )}
        <p>Nothing is deleted. You can publish it again at any time.</p>
      </ConfirmModal>
    </>
  )
}

const done: Record<Question, string> = {
  publish: 'Assignment published successfully!',
  release: 'New grades released.',
  unpublish: 'Assignment unpublished successfully!',
}
