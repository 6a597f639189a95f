import { getSetUp, type Launch } from '@assay/shared/lti/lti.ts'
import { Navigate } from 'react-router-dom'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { launchHomePath, useLaunch } from '../../../lib/session/launch.ts'
import { SetUpForm } from './SetUpForm.tsx'

/** An instructor's first launch of a course, or of a link: what each of them is in Assay. */
export function SetUpPage() {
  const launch = useLaunch()
  if (!launch) return null
  // Settled meanwhile; come back to by the browser's button.
  if (launch.purpose !== 'set_up') return <Navigate to={launchHomePath(launch)} replace />
  return <LoadedSetUp launch={launch} />
}

function LoadedSetUp({ launch }: { launch: Launch }) {
  const setUp = useGet(getSetUp)
  const what = launch.link_title ?? launch.context_title
  return (
    <Page width="reading">
      <PageHeader
        title={what ? `Set up “${what}”` : 'Set up this course'}
        subtitle={`You only choose this once. After that, ${launch.platform.name} opens the right page automatically.`}
      />
      {setUp.data ? (
        // What can be chosen is other once the course is settled.
        <SetUpForm key={setUp.data.course_id} launch={launch} setUp={setUp.data} reload={setUp.reload} />
      ) : setUp.error ? (
        <LoadError error={setUp.error} retry={setUp.reload} title="The setup could not be loaded" />
      ) : (
        <RowSkeletons count={5} label="Loading the setup" />
      )}
    </Page>
  )
}
