import { getAssignment } from '@assay/shared/assignments.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton } from '../../components/display/buttons.tsx'
import { EmptyState, NotFoundIllustration } from '../../components/feedback/EmptyState.tsx'
import { LoadError, Page } from '../../components/layout/Page.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { useGet } from '../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { submissionsPath } from '../../paths.ts'
import { nonDefaultOrder, orderFromSearch, searchFromOrder } from './list/useListView.ts'
import { ReviewScreen } from './review/ReviewScreen.tsx'
import { ReviewSkeleton } from './review/ReviewSkeleton.tsx'
import { useSubmissionEvents } from './review/useSubmissionEvents.ts'

export function SubmissionPage() {
  const ids = useRouteIds('assignmentId', 'submissionId')
  // The list this was opened from decides which paper is next.
  const [address] = useSearchParams()
  const order = orderFromSearch(address)
  const submission = useGet(getSubmission, ids, nonDefaultOrder(order))
  const assignment = useGet(getAssignment, { assignmentId: ids.assignmentId })
  useSubmissionEvents(ids, submission)
  // Drawn in parts that leave a phone time for a finger: the name, the score and the paper first.
  const isGradeDrawn = useDeferredValue(submission.data !== undefined)
  if (submission.data)
    return (
      <ReviewScreen
        key={submission.data.id}
        submission={submission.data}
        loaded={submission}
        order={order}
        assignment={assignment.data}
        isGradeDrawn={isGradeDrawn}
      />
    )
  const list = submissionsPath(ids.assignmentId) + searchFromOrder(order)
  if (submission.error?.status === 404) return <NotFound list={list} />
  if (submission.error) {
    return (
      <Page>
        <LoadError
          isWhole
          error={submission.error}
          retry={submission.reload}
          title="Error Loading Submission"
          fallback="Failed to fetch submission details."
        >
          <LinkButton to={list}>Back to submissions</LinkButton>
        </LoadError>
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
        illustration={<NotFoundIllustration />}
        title="Submission Not Found"
        titleOrder={1}
        action={<PrimaryLinkButton to={list}>Back to submissions</PrimaryLinkButton>}
      >
        It may have been deleted, or it belongs to another assignment.
      </EmptyState>
    </Page>
  )
}
