import { type Assignment, listAssignments } from '@assay/shared/assignments.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { CardGrid } from '../../components/Card.tsx'
import { PapersDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { CardSkeletons } from '../../components/PageSkeleton.tsx'
import { type Loaded, useGetAll } from '../../lib/api.ts'
import { AssignmentCard } from './AssignmentCard.tsx'
import { DeleteAssignmentModal, type Doomed } from './DeleteAssignmentModal.tsx'

export function DashboardPage() {
  const assignments = useGetAll(listAssignments)
  const [doomed, setDoomed] = useState<Doomed | null>(null)

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
      <Content assignments={assignments} remove={setDoomed} />
      <DeleteAssignmentModal
        doomed={doomed}
        close={() => setDoomed(null)}
        gone={(id) => assignments.patch((list) => list.filter((one) => one.id !== id))}
      />
    </Page>
  )
}

function Content(props: { assignments: Loaded<Assignment[]>; remove: (doomed: Doomed) => void }) {
  const { data, error, reload } = props.assignments
  if (data?.length === 0) {
    return (
      <EmptyState
        drawing={<PapersDrawing />}
        title="No Assignments Yet"
        action={
          <Button component={Link} to="/create-assignment">
            Create Your First Assignment
          </Button>
        }
      >
        Start with two PDFs: the blank assignment and its answer key. Student papers can follow at any time.
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
  if (error) return <LoadFailed error={error} retry={reload} title="Failed to fetch assignments." />
  return <CardSkeletons count={6} height={196} label="Loading assignments" />
}
