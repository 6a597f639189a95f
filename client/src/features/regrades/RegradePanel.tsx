import { listOpenRegrades, listRegrades, type RegradeRequest } from '@assay/shared/regrades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button, Skeleton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { useGet, useRevalidate } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { useKeyboardShortcuts } from '../../lib/hooks/useKeyboardShortcuts.ts'
import { criterionHighlightGroup } from '../grades/criteria/evidence-highlights.ts'
import type { GradeReview } from '../grades/useGradeReview.ts'
import { answerPath } from '../questions/question-path.ts'
import { AnswerForm } from './AnswerForm.tsx'
import { AmendmentOffer } from './amendments/AmendmentOffer.tsx'
import { RegradeHistory } from './RegradeHistory.tsx'
import classes from './regrades.module.css'
import { regradesPath, requestPath } from './regrades-path.ts'

interface Props {
  submission: Pick<Submission, 'id' | 'assignment_id'>
  review: GradeReview
  /** Shows what is asked about on the paper; the request stays in sight. */
  look: (highlightGroup: string) => void
  answered: () => Promise<unknown>
}

/** Above the grade itself. */
export function RegradePanel({ submission, review, look, answered }: Props) {
  const assignmentId = submission.assignment_id
  const params = { assignmentId, submissionId: submission.id }
  const regrades = useGet(listRegrades, params)
  const refresh = useRevalidate()
  const heading = useRef<HTMLHeadingElement>(null)
  const open = regrades.data?.find(({ state }) => state === 'open')
  // The latest: what was granted before it has been asked about already.
  const [latest] = regrades.data ?? []
  const granted = latest?.outcome === 'granted' && latest.criterion ? latest : undefined
  const criterion = criterionOf(open, review)
  const place = criterion && criterionHighlightGroup(criterion.id)
  useEffect(() => {
    if (place) look(place)
  }, [place, look])

  if (regrades.data) {
    return (
      <section className={classes.panel} aria-labelledby="regrade">
        <h2 id="regrade" ref={heading} tabIndex={-1} className={classes.title}>
          {open ? 'Regrade requested' : 'Regrade request'}
        </h2>
        <RegradeHistory regrades={regrades.data} who="teacher" />
        {open && (
          <AnswerForm
            key={open.id}
            ids={params}
            request={open}
            criterion={criterion}
            review={review}
            changedElsewhere={answered}
            answered={async () => {
              await Promise.all([regrades.reload(), answered()])
              // The form that had the focus is gone.
              heading.current?.focus({ preventScroll: true })
              void refresh(`/assignments/${assignmentId}/submissions`)
              void refresh(`/assignments/${assignmentId}/regrades`)
            }}
          />
        )}
        {granted && (
          <AmendmentOffer
            assignmentId={assignmentId}
            request={granted}
            changed={() =>
              void refresh(`/assignments/${assignmentId}/submissions`, `/assignments/${assignmentId}/questions`)
            }
          />
        )}
        <Queue
          assignmentId={assignmentId}
          submissionId={submission.id}
          questionId={open?.question?.id}
          isAnswered={!open}
        />
      </section>
    )
  }
  if (regrades.error) {
    return <LoadError error={regrades.error} retry={regrades.reload} title="Failed to Load the Request" />
  }
  return (
    <div className={classes.panel} role="status" aria-label="Loading the request">
      <Skeleton height={96} radius="md" />
    </div>
  )
}

/** As it is graded now: by its id in the rubric, since a new suggestion has other rows. */
function criterionOf(request: RegradeRequest | undefined, { grade }: GradeReview) {
  if (!request?.criterion) return null
  const { id, criterion_id } = request.criterion
  const all = grade.criterion_grades_collection
  return all.find((one) => one.criterion_id === criterion_id) ?? all.find((one) => one.id === id) ?? null
}

interface QueueProps {
  assignmentId: number
  submissionId: number
  questionId: string | undefined
  isAnswered: boolean
}

function Queue({ assignmentId, submissionId, questionId, isAnswered }: QueueProps) {
  const navigate = useNavigate()
  const open = useGet(listOpenRegrades, { assignmentId })
  const others = open.data?.filter((request) => request.submission_id !== submissionId) ?? []
  const here = open.data?.findIndex((request) => request.submission_id === submissionId) ?? -1
  const [oldest] = others
  // Further down the queue first, then from its start again.
  const next = open.data?.slice(here + 1).find((request) => request.submission_id !== submissionId) ?? oldest
  const nextPath = next && requestPath(assignmentId, next)
  useKeyboardShortcuts({ r: nextPath ? () => void navigate(nextPath) : undefined })
  if (!questionId && !nextPath) return null
  return (
    <nav className={classes.queue} aria-label="Regrade requests">
      {nextPath && (
        <Button
          component={Link}
          to={nextPath}
          variant={isAnswered ? 'filled' : 'default'}
          size="compact-sm"
          aria-keyshortcuts="r"
        >
          Next request
        </Button>
      )}
      {nextPath && <Link to={regradesPath(assignmentId)}>{plural(others.length, 'other open request')}</Link>}
      {questionId && <Link to={answerPath(assignmentId, questionId, submissionId)}>Open in Grade by question</Link>}
    </nav>
  )
}
