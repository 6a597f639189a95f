import type { LinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { NotFoundIllustration, PapersIllustration } from '../../../components/feedback/illustrations.tsx'
import { createAssignmentPath } from './choice-paths.ts'
import { ResponseError } from './ResponseError.tsx'
import { useDeepLinkResponse } from './useDeepLinkResponse.ts'

/** Why there is no list, and what can be done instead. */
export function NothingToChoose({ choice }: { choice: LinkChoice }) {
  const { course, accepts, answered, in_course, platform_name: lms } = choice
  const answer = useDeepLinkResponse()
  const back = (
    <Button variant="default" loading={answer.sending} onClick={() => void answer.send([])}>
      Back to {lms}
    </Button>
  )
  const empty = (title: string, text: string, action?: React.ReactNode, drawing = <NotFoundIllustration />) => (
    <>
      <EmptyState illustration={drawing} title={title} action={action}>
        {text}
      </EmptyState>
      <ResponseError answer={answer} />
    </>
  )

  if (answered) return empty('Your choice was sent', `To add more, open Assay from the course in ${lms} again.`)
  if (!accepts.links)
    return empty(
      `${lms} requested something else`,
      'Assay can only add links to assignments, which are not accepted here. Add Assay as an external tool instead.',
      back,
    )
  if (!course)
    return empty(
      in_course ? 'This course is not set up yet' : 'This is not part of a course',
      in_course
        ? 'Open Assay from the course once and choose its course in Assay.'
        : `Assignments belong to courses. Add them from within a course in ${lms}.`,
      back,
    )
  return empty(
    `${course.name} has no assignments yet`,
    'An assignment starts with two PDFs: the blank assignment and its answer key. Create the first one here; you will then return to add it.',
    <>
      <Button component={Link} to={createAssignmentPath(course.id, [])}>
        Create an assignment
      </Button>
      {back}
    </>,
    <PapersIllustration />,
  )
}
