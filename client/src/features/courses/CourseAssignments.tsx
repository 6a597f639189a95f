import type { CourseDetail } from '@assay/shared/courses.ts'
import { Button, Checkbox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { PapersIllustration } from '../../components/feedback/illustrations.tsx'
import { Panel, PanelList } from '../../components/layout/Panel.tsx'
import { toast } from '../../lib/toast.ts'
import { AssignmentBadges } from '../assignments/AssignmentBadges.tsx'
import { type AssignmentToDelete, DeleteAssignmentModal } from '../assignments/DeleteAssignmentModal.tsx'
import { DeleteAssignmentsModal } from '../assignments/DeleteAssignmentsModal.tsx'
import { withDatesState } from '../assignments/dates-form.ts'
import classes from './CourseAssignments.module.css'

export function CourseAssignments({ course, gone }: { course: CourseDetail; gone: (ids: number[]) => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [severalToDelete, setSeveralToDelete] = useState<AssignmentToDelete[]>([])
  // Those that are there no more are chosen no more.
  const selected = course.assignments.filter(({ id }) => chosen.has(id))
  const all = selected.length === course.assignments.length
  const [toDelete, setToDelete] = useState<AssignmentToDelete | null>(null)
  const create = (
    <Button
      component={Link}
      to="/create-assignment"
      state={{ courseId: course.id }}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      Create Assignment
    </Button>
  )
  return (
    <Panel title="Assignments" actions={course.assignments.length > 0 && create}>
      {course.assignments.length === 0 ? (
        <EmptyState illustration={<PapersIllustration />} title="No Assignments Yet" titleOrder={3} action={create}>
          Start with a blank assignment and its answer key.
        </EmptyState>
      ) : (
        <>
          <div className={classes.tools}>
            <Checkbox
              label="Select all"
              checked={all}
              indeterminate={selected.length > 0 && !all}
              onChange={() => setChosen(new Set(all ? [] : course.assignments.map(({ id }) => id)))}
            />
            <Button
              variant="default"
              disabled={selected.length === 0}
              onClick={() => {
                if (selected.length === 0) toast.error('No assignments selected for deletion')
                else setSeveralToDelete(selected)
              }}
            >
              Delete Selected ({selected.length})
            </Button>
          </div>
          <PanelList label="Assignments">
            {course.assignments.map((assignment) => (
              <li key={assignment.id} className={classes.row}>
                <Checkbox
                  aria-label={`Select ${assignment.title}`}
                  checked={chosen.has(assignment.id)}
                  onChange={() =>
                    setChosen((before) => {
                      const after = new Set(before)
                      if (!after.delete(assignment.id)) after.add(assignment.id)
                      return after
                    })
                  }
                />
                <div className={classes.words}>
                  <Link to={`/assignments/${assignment.id}/submissions`} className={classes.title}>
                    {assignment.title}
                  </Link>
                  <span className={classes.id}>
                    <AssignmentBadges assignment={withDatesState(assignment)} /> Assignment ID {assignment.id}
                  </span>
                </div>
                <Button
                  component={Link}
                  to={`/assignments/${assignment.id}/submissions`}
                  variant="default"
                  aria-label={`View Submissions of ${assignment.title}`}
                >
                  View Submissions
                </Button>
                <Button
                  variant="subtle"
                  color="gray"
                  className={classes.delete}
                  aria-label={`Delete ${assignment.title}`}
                  onClick={() => setToDelete(assignment)}
                >
                  Delete
                </Button>
              </li>
            ))}
          </PanelList>
        </>
      )}
      <DeleteAssignmentModal assignment={toDelete} close={() => setToDelete(null)} onDeleted={(id) => gone([id])} />
      <DeleteAssignmentsModal assignments={severalToDelete} close={() => setSeveralToDelete([])} onDeleted={gone} />
    </Panel>
  )
}
