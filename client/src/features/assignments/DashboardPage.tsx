import { type Assignment, listAssignments } from '@assay/shared/assignments.ts'
import { ActionIcon } from '@mantine/core'
import { IconPlus, IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton, SubtleButton } from '../../components/display/buttons.tsx'
import { EmptyState, PapersIllustration } from '../../components/feedback/EmptyState.tsx'
import { CardSkeletons, Loaded } from '../../components/feedback/Loaded.tsx'
import { Card, CardGrid } from '../../components/layout/Card.tsx'
import { Page, PageHeader } from '../../components/layout/Page.tsx'
import { useGetAll } from '../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime, plural } from '../../lib/format.ts'
import { AssignmentBadges } from './AssignmentBadges.tsx'
import classes from './AssignmentCard.module.css'
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
          <PrimaryLinkButton to="/create-assignment" leftSection={<IconPlus size={18} aria-hidden />}>
            Create New Assignment
          </PrimaryLinkButton>
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
            <CardGrid>
              {data.map((assignment) => (
                <AssignmentCard key={assignment.id} assignment={assignment} remove={setToDelete} />
              ))}
            </CardGrid>
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

function AssignmentCard({
  assignment,
  remove,
}: {
  assignment: Assignment
  remove: (toDelete: AssignmentToDelete) => void
}) {
  const { id, title, status, counts, course_name } = assignment
  const to = `/assignments/${id}/submissions`
  return (
    <Card label={title}>
      <div className={classes.top}>
        <AssignmentBadges assignment={assignment} />
        <span className={classes.course}>{course_name}</span>
        <ActionIcon
          component={Link}
          to={`/assignments/${id}/settings`}
          color="gray.7"
          size={28}
          className={classes.settings}
          aria-label={`Settings of ${title}`}
          title="Settings"
        >
          <IconSettings size={18} aria-hidden />
        </ActionIcon>
      </div>
      <h2 className={classes.title}>
        <Link to={to}>{title}</Link>
      </h2>
      <p className={classes.facts}>
        Assignment ID {id} · Created <time dateTime={assignment.created_at}>{formatDate(assignment.created_at)}</time>
        <NextDate assignment={assignment} />
      </p>
      <Progress assignment={assignment} />
      <div className={classes.actions}>
        <LinkButton to={to} aria-label={`View Submissions of ${title}`}>
          View Submissions
        </LinkButton>
        <SubtleButton
          color="gray.7"
          className={classes.delete}
          aria-label={`Delete Assignment ${title}`}
          onClick={() => remove({ id, title, status, submissions: counts.submissions, graded: counts.graded })}
        >
          Delete Assignment
        </SubtleButton>
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

function Progress({ assignment: { counts, status } }: { assignment: Assignment }) {
  if (counts.submissions === 0) return <p className={classes.counts}>No papers yet</p>
  const parts = [`${counts.graded} of ${plural(counts.submissions, 'paper')} graded`]
  if (counts.flagged > 0) parts.push(`${counts.flagged} flagged`)
  if (counts.failed > 0) parts.push(`${counts.failed} failed`)
  if (status === 'published' && counts.unreleased > 0) parts.push(`${counts.unreleased} not released`)
  return (
    <>
      <div className={classes.track} aria-hidden="true">
        <div style={{ width: `${(100 * counts.graded) / counts.submissions}%` }} />
      </div>
      <p className={classes.counts}>{parts.join(' · ')}</p>
    </>
  )
}
