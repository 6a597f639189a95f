import { listCourses } from '@assay/shared/courses.ts'
import { getLaunch, joinAccount, type Launch } from '@assay/shared/lti/lti.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { LinkButton } from '../../components/display/buttons.tsx'
import { PasswordField, UsernameInput } from '../../components/display/PasswordField.tsx'
import { EmptyState, EmptyTrayIllustration, PeopleIllustration } from '../../components/feedback/EmptyState.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page, PageHeader } from '../../components/layout/Page.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet } from '../../lib/api/api-hooks.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { launchHomePath, launchStore, useLaunch } from '../../lib/session/launch.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { lmsReturnUrl } from './lms-return-url.ts'
import classes from './set-up/SetUp.module.css'

const POLL_MS = 20_000

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

function reasonFor({ purpose, lms_administrator: administrator }: Launch, lms: string): string {
  if (purpose === 'student_view')
    return `You teach this course. Its students see their own papers and grades here, and you have none. To teach, switch back to your own role in ${lms}, then open Assay from there again.`
  if (administrator === 'not_listed')
    return `You administer ${lms}, but you are not a member of this course there. Only members can see its papers and grades. To teach it, enrol yourself in the course in ${lms} as a teacher, then open Assay from there again.`
  if (administrator === 'list_unreadable')
    return `You administer ${lms}, so Assay asked it whether you also teach this course, and got no list of the course’s members. Allow Assay to read it in ${lms} (Names and Role Provisioning Services), or ask a teacher of the course to add you as an instructor in Assay. Then open Assay from the course again.`
  return `${lms} lists you as neither a teacher nor a student in this course, as it does administrators and people who only look on, such as parents. Only members of the course can see its papers and grades. To see them, ask to be added to the course in ${lms} as a teacher, then open Assay from there again.`
}

export function NoRolePage() {
  const launch = useLaunch()
  const own = useGet(listCourses, undefined, { limit: 1 })
  const lms = launch?.platform.name ?? 'your LMS'
  const back = lmsReturnUrl(launch)
  const course = launch?.context_title ? `“${launch.context_title}”` : 'this course'
  const asStudent = launch?.purpose === 'student_view'
  const title = asStudent ? `You opened ${course} as a student` : `You have no role in ${course}`
  usePageTitle(title)
  return (
    <EmptyState
      titleOrder={1}
      illustration={<PeopleIllustration />}
      title={title}
      action={
        <>
          {back && (
            <Button component="a" href={back} target="_top">
              Back to {lms}
            </Button>
          )}
          {(own.total ?? 0) > 0 && <LinkButton to="/student/dashboard">My other courses</LinkButton>}
        </>
      }
    >
      {launch && reasonFor(launch, lms)}
      {!asStudent && ' To administer Assay, sign in at its own address with an administrator account.'}
    </EmptyState>
  )
}

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
  // A merged account is opened by the LMS alone until its password is given.
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
