import { getLinkChoice, type LinkChoice } from '@assay/shared/lti-deep-linking.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, Navigate, useSearchParams } from 'react-router-dom'
import { LoadFailed } from '../../../components/LoadFailed.tsx'
import { Page } from '../../../components/Page.tsx'
import { PageHeader } from '../../../components/PageHeader.tsx'
import { RowSkeletons } from '../../../components/PageSkeleton.tsx'
import { useGet } from '../../../lib/api.ts'
import { homeOfLaunch, useLaunch } from '../../../lib/launch.ts'
import { ChooseForm } from './ChooseForm.tsx'
import { createPath } from './create-path.ts'
import { NothingToChoose } from './NothingToChoose.tsx'
import { idsIn } from './useChosen.ts'

/** What an instructor sees who adds content to an LMS course: the course's assignments, to be linked from there. */
export function ChoosePage() {
  const launch = useLaunch()
  if (!launch) return null
  // First the course, then its assignments.
  if (launch.purpose === 'set_up') return <Navigate to={homeOfLaunch(launch)} replace />
  return <Asked />
}

function Asked() {
  const choice = useGet(getLinkChoice)
  const { data } = choice
  const one = data !== undefined && !data.accepts.several
  return (
    <Page width="reading">
      <PageHeader
        title={one ? 'Add an assignment' : 'Add assignments'}
        subtitle={data && hasChoice(data) && whatComes(data)}
        actions={data && hasChoice(data) && <CreateOne choice={data} />}
      />
      {data ? (
        <Chooser choice={data} reload={choice.reload} />
      ) : choice.error ? (
        <LoadFailed error={choice.error} retry={choice.reload} title="The assignments could not be loaded" />
      ) : (
        <RowSkeletons count={5} label="Loading the assignments" />
      )}
    </Page>
  )
}

const hasChoice = ({ course, assignments, accepts, answered }: LinkChoice) =>
  !answered && accepts.links && course !== null && assignments.length > 0

function Chooser({ choice, reload }: { choice: LinkChoice; reload: () => Promise<boolean> }) {
  if (!hasChoice(choice)) return <NothingToChoose choice={choice} />
  return <ChooseForm choice={choice} reload={reload} />
}

/** What is chosen so far stands in the address, and comes along. */
function CreateOne({ choice: { course } }: { choice: LinkChoice }) {
  const [search] = useSearchParams()
  if (!course) return null
  return (
    <Button
      component={Link}
      to={createPath(course.id, idsIn(search.get('chosen')))}
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Create a new one
    </Button>
  )
}

function whatComes({ course, context_title, accepts, platform_name }: LinkChoice): string {
  const where = context_title ?? platform_name
  const from = course && course.name !== where ? `From ${course.name} in Assay. ` : ''
  const each = accepts.several ? 'Each one becomes' : 'It becomes'
  const column = accepts.line_items ? ', with a column in its gradebook' : ''
  return `${from}${each} a link in ${where}${column}.`
}
