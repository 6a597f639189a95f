import { getLinkChoice, type LinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, Navigate, useSearchParams } from 'react-router-dom'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { EmptyState, NotFoundIllustration, PapersIllustration } from '../../../components/feedback/EmptyState.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { launchHomePath, useLaunch } from '../../../lib/session/launch.ts'
import { ChooseForm, ResponseError, useDeepLinkResponse } from './ChooseForm.tsx'
import { createAssignmentPath, parseIds } from './choice-paths.ts'

export function ChoosePage() {
  const launch = useLaunch()
  if (!launch) return null
  if (launch.purpose === 'set_up') return <Navigate to={launchHomePath(launch)} replace />
  return <LoadedChoice />
}

function LoadedChoice() {
  const choice = useGet(getLinkChoice)
  const { data } = choice
  const one = data !== undefined && !data.accepts.several
  return (
    <Page width="reading">
      <PageHeader
        title={one ? 'Add an assignment' : 'Add assignments'}
        subtitle={data && hasChoice(data) && choiceSubtitle(data)}
        actions={data && hasChoice(data) && <CreateAssignmentButton choice={data} />}
      />
      <Loaded
        query={choice}
        title="The assignments could not be loaded"
        skeleton={<RowSkeletons count={5} label="Loading the assignments" />}
      >
        {(loaded) =>
          hasChoice(loaded) ? (
            <ChooseForm choice={loaded} reload={choice.reload} />
          ) : (
            <NothingToChoose choice={loaded} />
          )
        }
      </Loaded>
    </Page>
  )
}

const hasChoice = ({ course, assignments, accepts, answered }: LinkChoice) =>
  !answered && accepts.links && course !== null && assignments.length > 0

function CreateAssignmentButton({ choice: { course } }: { choice: LinkChoice }) {
  const [search] = useSearchParams()
  if (!course) return null
  return (
    <LinkButton
      to={createAssignmentPath(course.id, parseIds(search.get('chosen')))}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Create a new one
    </LinkButton>
  )
}

function choiceSubtitle({ course, context_title, accepts, platform_name }: LinkChoice): string {
  const where = context_title ?? platform_name
  const from = course && course.name !== where ? `From ${course.name} in Assay. ` : ''
  const each = accepts.several ? 'Each one becomes' : 'It becomes'
  const column = accepts.line_items ? ', with a column in its gradebook' : ''
  return `${from}${each} a link in ${where}${column}.`
}

function NothingToChoose({ choice }: { choice: LinkChoice }) {
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
