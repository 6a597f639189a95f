import { type Assignment, listAssignments } from '@assay/shared/assignments.ts'
import { Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton } from '../../components/display/buttons.tsx'
import { MoreMenu } from '../../components/display/MoreMenu.tsx'
import { EmptyState, PapersIllustration } from '../../components/feedback/EmptyState.tsx'
import { Card, CardGrid } from '../../components/layout/Card.tsx'
import { CardSkeletons, Loaded, Page, PageHeader } from '../../components/layout/Page.tsx'
import { useGetAll } from '../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { assignmentSettingsPath, submissionsPath } from '../../paths.ts'
import { AssignmentBadges } from './AssignmentBadges.tsx'
import classes from './DashboardPage.module.css'
import { type AssignmentToDelete, DeleteAssignmentModal } from './DeleteAssignmentModal.tsx'
import { nextStep, StepsBar, stepsOf, waitingFor } from './StepsBar.tsx'

const MOST_WAITING = 5

export function DashboardPage() {
  const assignments = useGetAll(listAssignments)
  const [toDelete, setToDelete] = useState<AssignmentToDelete | null>(null)

  return (
    <Page>
      <PageHeader
        title="Your Assignments"
        tabTitle="Dashboard"
        actions={
          <LinkButton
            to="/create-assignment"
            variant={assignments.data?.length === 0 ? 'default' : 'filled'}
            leftSection={<IconPlus size={18} aria-hidden />}
          >
            Create New Assignment
          </LinkButton>
        }
      />
      <Loaded
        query={assignments}
        title="Failed to fetch assignments."
        skeleton={<CardSkeletons count={6} height={196} label="Loading assignments" />}
      >
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              illustration={<PapersIllustration />}
              title="No Assignments Yet"
              action={<PrimaryLinkButton to="/create-assignment">Create Your First Assignment</PrimaryLinkButton>}
            >
              Start with two PDFs: the blank assignment and its answer key. You can add student papers at any time.
            </EmptyState>
          ) : (
            <>
              <Waiting assignments={data} />
              <CardGrid>
                {data.map((assignment) => (
                  <AssignmentCard key={assignment.id} assignment={assignment} remove={setToDelete} />
                ))}
              </CardGrid>
            </>
          )
        }
      </Loaded>
      <DeleteAssignmentModal
        assignment={toDelete}
        close={() => setToDelete(null)}
        onDeleted={(id) => assignments.patch((list) => list.filter((one) => one.id !== id))}
      />
    </Page>
  )
}

function Waiting({ assignments }: { assignments: Assignment[] }) {
  const waiting = assignments
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at))
    .flatMap(({ id, title, ...rest }) => waitingFor({ id, title, ...rest }).map((what) => ({ id, title, what })))
  if (waiting.length === 0) return null
  return (
    <section className={classes.waiting} aria-labelledby="waiting">
      <h2 id="waiting">Waiting for you</h2>
      <ul>
        {waiting.slice(0, MOST_WAITING).map(({ id, title, what }) => (
          <li key={`${id} ${what}`}>
            <Link to={submissionsPath(id)}>{`${what} in ${title}`}</Link>
          </li>
        ))}
        {waiting.length > MOST_WAITING && <li>and {waiting.length - MOST_WAITING} more below</li>}
      </ul>
    </section>
  )
}

function AssignmentCard({
  assignment,
  remove,
}: {
  assignment: Assignment
  remove: (toDelete: AssignmentToDelete) => void
}) {
  const { id, title, status, counts, course_name } = assignment
  const to = submissionsPath(id)
  return (
    <Card label={title}>
      <div className={classes.top}>
        <AssignmentBadges assignment={assignment} />
        <span className={classes.course}>{course_name}</span>
        <MoreMenu label={`More for ${title}`}>
          <Menu.Item component={Link} to={assignmentSettingsPath(id)}>
            Settings
          </Menu.Item>
          <Menu.Item
            color="red.8"
            onClick={() => remove({ id, title, status, submissions: counts.submissions, graded: counts.graded })}
          >
            Delete Assignment
          </Menu.Item>
        </MoreMenu>
      </div>
      <h2 className={classes.title}>
        <Link to={to}>{title}</Link>
      </h2>
      <p className={classes.facts}>
        Assignment ID {id} · Created <time dateTime={assignment.created_at}>{formatDate(assignment.created_at)}</time>
        <NextDate assignment={assignment} />
      </p>
      {counts.submissions === 0 ? (
        <p className={classes.counts}>No papers yet</p>
      ) : (
        <StepsBar steps={stepsOf(assignment)} next={nextStep(assignment)} />
      )}
      <div className={classes.actions}>
        <LinkButton to={to} aria-label={`View Submissions of ${title}`}>
          View Submissions
        </LinkButton>
      </div>
    </Card>
  )
}

function NextDate({ assignment: { available_at, due_at, dates_state } }: { assignment: Assignment }) {
  const [word, moment] = dates_state === 'upcoming' ? (['Opens', available_at] as const) : (['Due', due_at] as const)
  if (!moment) return null
  return (
    <>
      <br />
      {word} <time dateTime={moment}>{formatDateTime(moment)}</time>
    </>
  )
}
