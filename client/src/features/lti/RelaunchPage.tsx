import { Button } from '@mantine/core'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { ErrorIllustration, NotFoundIllustration } from '../../components/feedback/illustrations.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import type { ApiError } from '../../lib/api/api-error.ts'
import { useLaunch } from '../../lib/session/launch.ts'
import { lmsReturnUrl } from './lms-return-url.ts'

interface Props {
  /** `ended`: it was open, and the server knows the session no more. */
  why: 'refused' | 'unreachable' | 'ended' | 'signed_out'
  error: ApiError | null
  tryAgain?: () => void
}

/** Only the LMS can open a launch, so this says how to get there in place of a sign-in form. */
export function RelaunchPage({ why, error, tryAgain }: Props) {
  const launch = useLaunch()
  // A launch that was refused is known by what the server says of it.
  const lms = launch?.platform.name ?? error?.reply.lms ?? 'your LMS'
  const back = lmsReturnUrl(launch)
  const reachable = why !== 'unreachable'
  // The server says the rest: that it was used already, say, or that the account or the LMS is deactivated and nothing opens it again.
  const elsewhere = error === null || error.code === 'auth_required'
  const opened = elsewhere ? `Open this again from ${lms}` : 'Assay could not be opened'
  const title = why === 'signed_out' ? 'You have signed out' : opened
  usePageTitle(title)
  return (
    <main>
      <EmptyState
        titleOrder={1}
        illustration={reachable ? <NotFoundIllustration /> : <ErrorIllustration />}
        title={title}
        action={
          <>
            {!reachable && <Button onClick={tryAgain}>Try again</Button>}
            {back && (
              <Button component="a" href={back} target="_top" variant={reachable ? 'filled' : 'default'}>
                Back to {lms}
              </Button>
            )}
          </>
        }
      >
        {error?.message ??
          `${why === 'ended' ? 'Your session has expired. Your' : 'Your'} saved work is safe. ${
            why === 'ended' ? 'Go' : 'To come back, go'
          } to your course in ${lms} and open Assay there.`}
      </EmptyState>
    </main>
  )
}
