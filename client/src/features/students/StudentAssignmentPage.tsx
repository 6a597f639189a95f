import { getStudentAssignment } from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageSkeleton } from '../../components/PageSkeleton.tsx'
import { useGet } from '../../lib/api.ts'
import { useIds } from '../../lib/useIds.ts'
import { FeedbackScreen } from './FeedbackScreen.tsx'
import { HandInScreen } from './HandInScreen.tsx'
import { Lost } from './OwnCourse.tsx'

/** One's own work on an assignment: before the grade is released what to hand in, afterwards what came back. */
export function StudentAssignmentPage() {
  const ids = useIds('assignmentId')
  const assignment = useGet(getStudentAssignment, ids)

  if (assignment.data) {
    const { id, is_graded, submission_id } = assignment.data
    // The key keeps what is typed for one assignment from the next.
    if (is_graded && submission_id !== null) {
      return (
        <FeedbackScreen
          key={id}
          assignment={{ ...assignment.data, submission_id }}
          reload={assignment.reload}
        />
      )
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
      <Lost title="Assignment Not Found">
        It is not published, or it belongs to a course you are not enrolled in.
      </Lost>
    )
  }
  if (assignment.error) {
    return (
      <Page>
        <LoadFailed error={assignment.error} retry={assignment.reload} title="Failed to Load Assignment">
          <Button component={Link} to="/student/dashboard" variant="default">
            Back to dashboard
          </Button>
        </LoadFailed>
      </Page>
    )
  }
  return <PageSkeleton label="Loading the assignment" />
}
