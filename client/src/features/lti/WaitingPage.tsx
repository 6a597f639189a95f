import { getLaunch } from '@assay/shared/lti/lti.ts'
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { Navigate } from 'react-router-dom'
import { EmptyState, EmptyTrayIllustration } from '../../components/feedback/EmptyState.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { useGet } from '../../lib/api/api-hooks.ts'
import { launchHomePath, launchStore, useLaunch } from '../../lib/session/launch.ts'

const POLL_MS = 20_000

/** The instructor has not set the link up, or has not published the assignment. */
export function WaitingPage() {
  const launch = useLaunch()
  const latest = useGet(getLaunch, undefined, undefined, { refreshIntervalMs: POLL_MS, retry: false })
  const what = launch?.link_title ?? launch?.context_title
  const title = what ? `“${what}” is not open yet` : 'This is not open yet'
  usePageTitle(title)

  useEffect(() => {
    if (latest.data && latest.data.purpose !== 'waiting') launchStore.set(latest.data)
  }, [latest.data])

  if (launch && launch.purpose !== 'waiting') return <Navigate to={launchHomePath(launch)} replace />
  return (
    <EmptyState
      titleOrder={1}
      illustration={<EmptyTrayIllustration />}
      title={title}
      action={
        <Button variant="default" loading={latest.refreshing} onClick={() => void latest.reload()}>
          Check again
        </Button>
      }
    >
      Your instructor is still preparing it. This page checks automatically and continues as soon as it opens.
    </EmptyState>
  )
}
