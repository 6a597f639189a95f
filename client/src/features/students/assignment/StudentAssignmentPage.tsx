import { getStudentAssignment } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageSkeleton } from '../../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { NotFoundScreen } from '../courses/StudentCourseStates.tsx'
import { FeedbackScreen } from './FeedbackScreen.tsx'
import { HandInScreen } from './HandInScreen.tsx'

/** One's own work on an assignment: before the grade is released what to hand in, afterwards what came back. */
export function StudentAssignmentPage() {
  const ids = useRouteIds('assignmentId')
  const assignment = useGet(getStudentAssignment, ids)

  if (assignment.data) {
    const { id, released_at, submission_id } = assignment.data
    // With the key, what is typed for one assignment does not appear in the next.
    if (released_at !== null && submission_id !== null) {
      return <FeedbackScreen key={id} assignment={{ ...assignment.data, submission_id }} reload={assignment.reload} />
    }
    return (
      <HandInScreen
        key={id}
        assignment={assignment.data}
        handedIn={(now) => assignment.patch(() => now)}
        reload={assignment.reload}
      />
    )
  }
  if (assignment.error?.status === 404) {
    return (
      <NotFoundScreen title="Assignment Not Found">
        It is not published, or it belongs to a course you are not enrolled in.
      </NotFoundScreen>
    )
  }
  if (assignment.error) {
    return (
      <Page>
        <LoadError error={assignment.error} retry={assignment.reload} title="Failed to Load Assignment">
          <Button component={Link} to="/student/dashboard" variant="default">
            Back to dashboard
          </Button>
        </LoadError>
      </Page>
    )
  }
  return <PageSkeleton label="Loading the assignment" />
}
