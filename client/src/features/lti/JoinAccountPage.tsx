import { joinAccount } from '@assay/shared/lti/lti.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { PasswordField } from '../../components/display/PasswordField.tsx'
import { UsernameInput } from '../../components/display/UsernameInput.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page, PageHeader } from '../../components/layout/Page.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { launchHomePath, launchStore, useLaunch } from '../../lib/session/launch.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import classes from './set-up/SetUp.module.css'

export function JoinAccountPage() {
  const launch = useLaunch()
  const session = useSession()
  const navigate = useNavigate()
  const [joining, setJoining] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  if (!launch) return null
  const home = launchHomePath(launch)
  if (!launch.can_join_account && !launch.limited_to_lms && !joining) return <Navigate to={home} replace />
  const lms = launch.platform.name
  // The account has its password already: merged earlier, it is opened by the LMS alone until the password is given.
  const merged = launch.limited_to_lms

  async function join(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const username = String(form.get('username') ?? '').trim()
    const password = String(form.get('password') ?? '')
    if (!username || !password) return setFailure('Enter your username and password.')
    setJoining(true)
    setFailure(null)
    try {
      const asking = callApi(joinAccount, { body: { username, password } })
      await session.signInWith(asking)
      const joined = (await asking).body.launch
      launchStore.set(joined)
      toast.success(merged ? 'You now see all your courses' : 'Your accounts have been merged')
      await navigate(launchHomePath(joined), { replace: true })
    } catch (error) {
      setFailure(
        messageOf(
          error,
          merged
            ? 'You could not be signed in. Please try again.'
            : 'The accounts could not be merged. Please try again.',
        ),
      )
      setJoining(false)
    }
  }

  return (
    <Page width="reading">
      <PageHeader
        title={merged ? 'Sign in to see all your courses' : 'Merge with your Assay account'}
        subtitle={
          merged
            ? `Opened from ${lms}, Assay shows only your courses from there.`
            : `Do this only if you also sign in to Assay with a password. Otherwise, ${lms} signs you in.`
        }
      />
      <form className={classes.root} onSubmit={(event) => void join(event)} noValidate>
        {!merged && (
          <ul className={classes.aside}>
            <li>Your courses, papers and grades from {lms} move to the account you enter here.</li>
            <li>From then on, {lms} opens that account, with its name and email address.</li>
            <li>This cannot be undone.</li>
          </ul>
        )}
        {failure && <Notice tone="bad">{failure}</Notice>}
        <UsernameInput label="Username or email" name="username" />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <div className={classes.buttons}>
          <Button type="submit" size="sm" loading={joining}>
            {merged ? 'Sign in' : 'Merge accounts'}
          </Button>
          <LinkButton to={home} size="sm">
            Not now
          </LinkButton>
        </div>
      </form>
    </Page>
  )
}
