import { handInPhotos } from '@assay/shared/photo-drafts.ts'
import type { StudentAssignmentDetails } from '@assay/shared/students.ts'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { PhotoPages } from '../../photos/PhotoPages.tsx'
import { SubmissionFailure } from '../../photos/SubmissionFailure.tsx'
import type { PhotoDraftState } from '../../photos/usePhotoDraft.ts'
import { usePhotoSubmission } from '../../photos/usePhotoSubmission.ts'
import classes from './HandInForm.module.css'

type Dates = Pick<StudentAssignmentDetails, 'due_at' | 'closes_at'>

interface Props {
  photos: PhotoDraftState
  dates: Dates
  handedIn: (now: StudentAssignmentDetails) => void
  /** It was broken off: whether it arrived, the server knows. */
  uncertain: () => Promise<unknown>
}

/** Photos of a paper, a page each, looked at before they are handed in. */
export function PhotoForm({ photos, dates, handedIn, uncertain }: Props) {
  const { assignmentId, draft, pages, queue } = photos
  const { send } = useSend(handInPhotos)
  const refresh = useRevalidate()
  const [isHandwritten, setHandwritten] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const { submit, sending, error, notice } = usePhotoSubmission(photos, {
    send: (seen) => send({ params: { assignmentId }, body: { ...seen, is_handwritten: isHandwritten } }),
    sent: (now) => {
      toast.success('Photos handed in')
      handedIn(now)
      void refresh('/student/courses', '/student/dashboard')
    },
    // It was stored though its reply was lost, or another paper has come in meanwhile.
    failed: () => void uncertain(),
  })

  const refused = queue.some(({ state }) => state === 'refused')
  return (
    <form
      className={classes.root}
      aria-label="Hand in photos"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className={classes.words}>
        Each photo becomes a page, as you see it here. Your photos are kept with your paper, without the place and time
        you took them.
      </p>
      <p className={classes.words}>
        <strong>Not handed in yet.</strong> {deadlineOf(dates)}
        {draft?.expires_at && ` Photos that you do not hand in are deleted on ${formatDate(draft.expires_at)}.`}
      </p>
      <PhotoPages photos={photos} off={sending} />
      {error && (
        <SubmissionFailure
          ref={notice}
          error={error}
          refused="Not handed in"
          unclear="We could not check whether your paper was handed in"
        />
      )}
      <Checkbox
        label="My paper is handwritten"
        disabled={sending}
        checked={isHandwritten}
        onChange={(event) => setHandwritten(event.currentTarget.checked)}
      />
      {queue.length > 0 && (
        <p className={classes.words}>
          {refused
            ? 'Send the photo that failed again, or remove it. Then you can hand in.'
            : 'You can hand in once all photos are sent.'}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="subtle" color="gray" disabled={sending} onClick={() => setDeleting(true)}>
          Delete all photos
        </Button>
        <Button
          type="submit"
          loading={sending}
          disabled={queue.length > 0 || pages.length === 0 || photos.busyKeys.length > 0}
        >
          Hand in {pages.length} {pages.length === 1 ? 'page' : 'pages'}
        </Button>
      </div>
      <ConfirmModal
        opened={deleting}
        close={() => setDeleting(false)}
        title="Delete all photos?"
        confirmLabel="Delete photos"
        dangerous
        onConfirm={photos.removeAll}
      >
        The photos you added here will be deleted. A paper you have handed in stays.
      </ConfirmModal>
    </form>
  )
}

/** The next date that matters: when it is due, then when nothing is taken any more. */
function deadlineOf({ due_at, closes_at }: Dates): string {
  if (due_at && new Date(due_at) > new Date()) return `Hand in by ${formatDateTime(due_at)}.`
  return closes_at ? `This assignment closes on ${formatDateTime(closes_at)}.` : ''
}
