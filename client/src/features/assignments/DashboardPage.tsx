import { type Assignment, listAssignments } from '@assay/shared/assignments.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { PapersIllustration } from '../../components/feedback/illustrations.tsx'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { CardGrid } from '../../components/layout/Card.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { CardSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { type QueryResult, useGetAll } from '../../lib/api/api-hooks.ts'
import { AssignmentCard } from './AssignmentCard.tsx'
import { type AssignmentToDelete, DeleteAssignmentModal } from './DeleteAssignmentModal.tsx'

export function DashboardPage() {
  const assignments = useGetAll(listAssignments)
  const [toDelete, setToDelete] = useState<AssignmentToDelete | null>(null)

  return (
    <Page>
      <PageHeader
        title="Your Assignments"
        tabTitle="Dashboard"
        actions={
          <Button component={Link} to="/create-assignment" leftSection={<IconPlus size={18} aria-hidden />}>
            Create New Assignment
          </Button>
        }
      />
      <Content assignments={assignments} remove={setToDelete} />
      <DeleteAssignmentModal
        assignment={toDelete}
        close={() => setToDelete(null)}
        onDeleted={(id) => assignments.patch((list) => list.filter((one) => one.id !== id))}
      />
    </Page>
  )
}

function Content(props: { assignments: QueryResult<Assignment[]>; remove: (toDelete: AssignmentToDelete) => void }) {
  const { data, error, reload } = props.assignments
  if (data?.length === 0) {
    return (
      <EmptyState
        illustration={<PapersIllustration />}
        title="No Assignments Yet"
        action={
          <Button component={Link} to="/create-assignment">
            Create Your First Assignment
          </Button>
        }
      >
        Start with two PDFs: the blank assignment and its answer key. You can add student papers at any time.
      </EmptyState>
    )
  }
  if (data) {
    return (
      <CardGrid>
        {data.map((assignment) => (
          <AssignmentCard key={assignment.id} assignment={assignment} remove={props.remove} />
        ))}
      </CardGrid>
    )
  }
  if (error) return <LoadError error={error} retry={reload} title="Failed to fetch assignments." />
  return <CardSkeletons count={6} height={196} label="Loading assignments" />
}
