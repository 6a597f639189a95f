import { type CourseDetail, deleteCourse } from '@assay/shared/courses.ts'
import { Checkbox, Menu, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { MoreMenu } from '../../components/display/MoreMenu.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { EmptyState, PapersIllustration } from '../../components/feedback/EmptyState.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page, PageHeader, Panel, PanelList } from '../../components/layout/Page.tsx'
import { asApiError } from '../../lib/api/api-error.ts'
import { type QueryResult, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { useIdlePrefetch } from '../../lib/loading/useIdlePrefetch.ts'
import { toast } from '../../lib/toast.ts'
import { coursePath, submissionsPath } from '../../paths.ts'
import { AssignmentBadges } from '../assignments/AssignmentBadges.tsx'
import { withDatesState } from '../assignments/DateFields.tsx'
import {
  type AssignmentToDelete,
  DeleteAssignmentModal,
  DeleteAssignmentsModal,
} from '../assignments/DeleteAssignmentModal.tsx'
import { AddNonLmsPeople } from '../lti/roster/AddNonLmsPeople.tsx'
import { CourseInstructors } from './CourseInstructors.tsx'
import classes from './CoursePage.module.css'
import { CourseStudents } from './CourseStudents.tsx'
import { JoinCodePanel } from './JoinCodePanel.tsx'
import { courseChangeErrorMessage, WithCourse } from './WithCourse.tsx'

const prefetchAnalytics = () => import('../analytics/AnalyticsPage.tsx')

export function CoursePage() {
  return <WithCourse>{(course, loaded) => <LoadedCourse course={course} loaded={loaded} />}</WithCourse>
}

function LoadedCourse({ course, loaded }: { course: CourseDetail; loaded: QueryResult<CourseDetail> }) {
  const [deleting, setDeleting] = useState(false)
  useIdlePrefetch(prefetchAnalytics, { ready: true })
  const fromLms = course.lms_names.length > 0
  const facts = [
    ['Students', course.student_count],
    ['Assignments', course.assignment_count],
    ['Created', formatDate(course.created_at)],
    ['Updated', formatDate(course.updated_at)],
  ] as const
  return (
    <Page>
      <PageHeader
        title={course.name}
        crumbs={[{ label: 'My Courses', to: '/courses' }, { label: course.name }]}
        badge={course.course_code && <span className={classes.code}>{course.course_code}</span>}
        subtitle={course.description}
        actions={
          <>
            <LinkButton to={coursePath(course.id, 'gradebook')}>Gradebook</LinkButton>
            <LinkButton to={coursePath(course.id, 'analytics')}>Analytics</LinkButton>
            <LinkButton to={coursePath(course.id, 'roster')}>Manage Roster</LinkButton>
            <MoreMenu label="More for this course">
              <Menu.Item component={Link} to={coursePath(course.id, 'edit')}>
                Edit Course
              </Menu.Item>
              <Menu.Item component={Link} to={coursePath(course.id, 'model')}>
                AI model
              </Menu.Item>
              <Menu.Item color="red.8" onClick={() => setDeleting(true)}>
                Delete Course
              </Menu.Item>
            </MoreMenu>
          </>
        }
      />
      <CourseRetentionNotice course={course} />
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.panels}>
        <CourseAssignments
          course={course}
          gone={(ids) =>
            loaded.patch((now) => {
              const assignments = now.assignments.filter(({ id }) => !ids.includes(id))
              return { ...now, assignment_count: assignments.length, assignments }
            })
          }
        />
        <div className={classes.people}>
          {!fromLms && <JoinCodePanel course={course} loaded={loaded} />}
          <CourseStudents course={course} loaded={loaded} />
          <CourseInstructors course={course} loaded={loaded} />
          {fromLms && (
            <AddNonLmsPeople lms={course.lms_names} shown={course.join_code !== null}>
              <JoinCodePanel course={course} loaded={loaded} />
            </AddNonLmsPeople>
          )}
        </div>
      </div>
      <DeleteCourseModal course={course} opened={deleting} close={() => setDeleting(false)} />
      <p className="visually-hidden" aria-live="polite">
        {plural(course.student_count, 'student')} enrolled
      </p>
    </Page>
  )
}

function CourseAssignments({ course, gone }: { course: CourseDetail; gone: (ids: number[]) => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [severalToDelete, setSeveralToDelete] = useState<AssignmentToDelete[]>([])
  // Some may have been deleted meanwhile.
  const selected = course.assignments.filter(({ id }) => chosen.has(id))
  const all = selected.length === course.assignments.length
  const [toDelete, setToDelete] = useState<AssignmentToDelete | null>(null)
  const create = (
    <PrimaryLinkButton
      to="/create-assignment"
      state={{ courseId: course.id }}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      Create Assignment
    </PrimaryLinkButton>
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
            {selected.length > 0 && (
              <SecondaryButton onClick={() => setSeveralToDelete(selected)}>
                Delete Selected ({selected.length})
              </SecondaryButton>
            )}
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
                  <Link to={submissionsPath(assignment.id)} className={classes.title}>
                    {assignment.title}
                  </Link>
                  <span className={classes.id}>
                    <AssignmentBadges assignment={withDatesState(assignment)} /> Assignment ID {assignment.id}
                  </span>
                </div>
                <LinkButton to={submissionsPath(assignment.id)} aria-label={`View Submissions of ${assignment.title}`}>
                  View Submissions
                </LinkButton>
                <MoreMenu label={`More for ${assignment.title}`}>
                  <Menu.Item color="red.8" onClick={() => setToDelete(assignment)}>
                    Delete
                  </Menu.Item>
                </MoreMenu>
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

const MISMATCH = 'Course name does not match. Please type the exact course name to confirm deletion.'

function DeleteCourseModal({ course, opened, close }: { course: CourseDetail; opened: boolean; close: () => void }) {
  const [typed, setTyped] = useState('')
  const { send } = useSend(deleteCourse)
  const refresh = useRevalidate()
  const navigate = useNavigate()
  const matches = typed.trim() === course.name.trim()

  async function remove() {
    try {
      const { message } = await send({ params: { courseId: course.id } })
      toast.success(message)
    } catch (cause) {
      const error = asApiError(cause)
      throw error.withDetail(
        courseChangeErrorMessage(error, 'Course information not available', 'Failed to delete course'),
      )
    }
    void navigate('/courses')
    void refresh('/courses', '/assignments')
  }

  return (
    <ConfirmModal
      opened={opened}
      close={() => {
        setTyped('')
        close()
      }}
      title={`Delete “${course.name}”?`}
      confirmLabel="Delete Course"
      dangerous
      disabled={!matches}
      onConfirm={remove}
    >
      <p>This permanently deletes:</p>
      <ul>
        <li>{plural(course.assignment_count, 'assignment')} with all submissions, grades and files</li>
        <li>{plural(course.student_count, 'enrollment')} (student accounts are kept)</li>
      </ul>
      <p>This action cannot be undone.</p>
      <TextInput
        label={`Type ${course.name} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={typed.trim() !== '' && !matches ? MISMATCH : undefined}
        autoComplete="off"
      />
    </ConfirmModal>
  )
}

function CourseRetentionNotice({ course }: { course: CourseDetail }) {
  const due = course.assignments.flatMap(({ id, title, work_deletion_at }) =>
    work_deletion_at ? [{ id, title, at: work_deletion_at }] : [],
  )
  const days = [...Map.groupBy(due, ({ at }) => formatDate(at))].sort(([, [a]], [, [b]]) =>
    (a?.at ?? '').localeCompare(b?.at ?? ''),
  )
  if (days.length === 0) return null
  return (
    <div className={classes.retention}>
      <Notice
        tone="warn"
        title={`Student work of ${plural(due.length, 'assignment')} will be deleted`}
        actions={
          <LinkButton size="xs" to={coursePath(course.id, 'edit')}>
            Change the rule
          </LinkButton>
        }
      >
        {days.map(([day, assignments]) => (
          <p key={day}>
            On {day}:{' '}
            {assignments.map(({ id, title }, i) => (
              <span key={id}>
                {i > 0 && ', '}
                <Link to={submissionsPath(id)}>{title}</Link>
              </span>
            ))}
            .
          </p>
        ))}
        Papers, answers, grades and comments go; the assignments stay. Open an assignment to export its grades first.
      </Notice>
    </div>
  )
}
