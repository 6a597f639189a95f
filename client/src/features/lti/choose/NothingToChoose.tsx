import type { LinkChoice } from '@assay/shared/lti-deep-linking.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LostPageDrawing, PapersDrawing } from '../../../components/drawings.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { createPath } from './create-path.ts'
import { RefusedWords } from './RefusedWords.tsx'
import { useAnswer } from './useAnswer.ts'

/** Why there is no list, and what can be done instead. */
export function NothingToChoose({ choice }: { choice: LinkChoice }) {
  const { course, accepts, answered, in_course, platform_name: lms } = choice
  const answer = useAnswer()
  const back = (
    <Button variant="default" loading={answer.sending} onClick={() => void answer.send([])}>
      Back to {lms}
    </Button>
  )
  const empty = (title: string, text: string, action?: React.ReactNode, drawing = <LostPageDrawing />) => (
    <>
      <EmptyState drawing={drawing} title={title} action={action}>
        {text}
      </EmptyState>
      <RefusedWords answer={answer} />
    </>
  )

  if (answered)
    return empty('Your choice was sent', `${lms} has it. To add more, open Assay from the course once again.`)
  if (!accepts.links)
    return empty(
      `${lms} asked for something else`,
      'What Assay adds to a course are links to assignments, and this place takes none. Add Assay as an external tool instead.',
      back,
    )
  if (!course)
    return empty(
      in_course ? 'This course is not set up yet' : 'This is not part of a course',
      in_course
        ? 'Open Assay from the course once, and say which course of Assay it is.'
        : `Assignments belong to courses. Add them from within a course in ${lms}.`,
      back,
    )
  return empty(
    `${course.name} has no assignments yet`,
    'An assignment begins with two PDFs: the paper as students get it, and the answer key. Create the first one here, and you come back to add it.',
    <>
      <Button component={Link} to={createPath(course.id, [])}>
        Create an assignment
      </Button>
      {back}
    </>,
    <PapersDrawing />,
  )
}
