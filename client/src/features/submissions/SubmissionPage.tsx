import { getAssignment } from '@assay/shared/assignments.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { Link, useSearchParams } from 'react-router-dom'
import { LostPageDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { usePageTitle } from '../../components/usePageTitle.ts'
import { useGet } from '../../lib/api.ts'
import { useIds } from '../../lib/useIds.ts'
import { ReviewScreen } from './review/ReviewScreen.tsx'
import { ReviewSkeleton } from './review/ReviewSkeleton.tsx'
import { useSubmissionEvents } from './review/useSubmissionEvents.ts'
import { changedFrom, orderOf, searchOf } from './useListView.ts'

export function SubmissionPage() {
  const ids = useIds('assignmentId', 'submissionId')
  // The list this was opened from: its next paper is the next one here.
  const [address] = useSearchParams()
  const order = orderOf(address)
  const submission = useGet(getSubmission, ids, changedFrom(order))
  const assignment = useGet(getAssignment, { assignmentId: ids.assignmentId })
  useSubmissionEvents(ids, submission)

  // The key gives each student a fresh form; without it the last student's feedback would greet the next.
  if (submission.data)
    return (
      <ReviewScreen
        key={submission.data.id}
        submission={submission.data}
        loaded={submission}
        order={order}
        assignment={assignment.data}
      />
    )
  const list = `/assignments/${ids.assignmentId}/submissions${searchOf(order)}`
  if (submission.error?.status === 404) return <NotFound list={list} />
  if (submission.error) {
    return (
      <Page>
        <LoadFailed
          error={submission.error}
          retry={submission.reload}
          title="Error Loading Submission"
          fallback="Failed to fetch submission details."
        >
          <Button component={Link} to={list} variant="default">
            Back to submissions
          </Button>
        </LoadFailed>
      </Page>
    )
  }
  return <ReviewSkeleton />
}

function NotFound({ list }: { list: string }) {
  usePageTitle('Submission Not Found')
  return (
    <Page>
      <EmptyState
        drawing={<LostPageDrawing />}
        title="Submission Not Found"
        titleOrder={1}
        action={
          <Button component={Link} to={list}>
            Back to submissions
          </Button>
        }
      >
        It may have been deleted, or it belongs to another assignment.
      </EmptyState>
    </Page>
  )
}
