import { type Assignment, getAssignment } from '@assay/shared/assignments.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { NamesHiddenNotice } from '../../assignments/anonymous-grading/NamesHiddenNotice.tsx'
import { MatchList } from './MatchList.tsx'

/** Settles whose the papers are that no student could be found for beyond doubt. */
export function MatchPage() {
  const { assignmentId } = useRouteIds('assignmentId')
  const assignment = useGet(getAssignment, { assignmentId })
  return (
    <Page>
      {assignment.data ? (
        <Matches assignment={assignment.data} />
      ) : assignment.error ? (
        <LoadError error={assignment.error} retry={assignment.reload} title="Error Loading Submissions">
          <Button component={Link} to="/courses" variant="default">
            Back to Courses
          </Button>
        </LoadError>
      ) : (
        <RowSkeletons label="Loading papers" />
      )}
    </Page>
  )
}

function Matches({ assignment }: { assignment: Assignment }) {
  const list = `/assignments/${assignment.id}/submissions`
  return (
    <>
      <PageHeader
        title="Match papers to students"
        subtitle="Grades of unmatched papers are not shown to anyone. Students do not see this page."
        crumbs={[{ label: assignment.title, to: list }, { label: 'Match papers' }]}
      />
      {assignment.anonymous?.names_hidden ? (
        <NamesHiddenNotice assignment={assignment}>
          Names are hidden while this assignment is graded. To match papers to students, show names first.
        </NamesHiddenNotice>
      ) : (
        <MatchList key={assignment.id} assignment={assignment} list={list} />
      )}
    </>
  )
}
