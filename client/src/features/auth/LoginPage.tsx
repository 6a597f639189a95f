import { getDemo } from '@assay/shared/auth.ts'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { PasswordField } from '../../components/display/PasswordField.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'
import { useGet } from '../../lib/api/api-hooks.ts'
import { redirectDestination, withRedirect } from '../../lib/session/redirect-paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'
import { useSignInRedirect } from './useSignInRedirect.ts'

const FAILED = 'Login failed. Please check your credentials.'

export function LoginPage() {
  usePageTitle('Sign in')
  const session = useSession()
  const [search] = useSearchParams()
  const { state } = useLocation()
  const registered: unknown = Object(state).registered
  const back = useSignInRedirect()
  const first = useSignInRedirect('Welcome to Assay')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ words: string; status: number } | null>(null)
  const [missing, setMissing] = useState<{ username?: string; password?: string }>({})

  if (session.status === 'signedIn' && !back.entering.current && !first.entering.current) {
    return <Navigate to={redirectDestination(search, session.user.role)} replace />
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const username = String(form.get('username') ?? '').trim()
    const password = String(form.get('password') ?? '')
    setMissing({
      username: username ? undefined : 'Enter your username or email address',
      password: password ? undefined : 'Enter your password',
    })
    if (!username || !password) return
    await attemptSignIn(() => (registered ? first : back).enter(session.signIn(username, password)))
  }

  async function attemptSignIn(signIn: () => Promise<void>) {
    setBusy(true)
    setFailure(null)
    try {
      await signIn()
    } catch (error) {
      const words = messageOf(error, FAILED)
      setFailure({ words, status: asApiError(error).status })
      toast.error(words)
      setBusy(false)
    }
  }

  const joinAs = (role: string) => `/auth/register?${withRedirect(search, { role })}`

  return (
    <AuthFrame title="Sign in">
      <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
        {typeof registered === 'string' && (
          <Notice title={registered}>
            Check your email to confirm your account. If your address has an account already, or a teacher has added you
            to a course, the email says how to sign in.
          </Notice>
        )}
        {failure && <Notice tone="bad">{failure.words}</Notice>}
        {/* The same for everybody, so that it does not tell who has an account. */}
        {failure?.status === 401 && (
          <p className="hint">
            Added to a course by a teacher? Open the link in your invitation email to choose a password first. If you
            cannot find it, “Forgot password?” sends a new one.
          </p>
        )}
        {!failure && session.status === 'signedOut' && session.ended && (
          <Notice>Your session has ended. Please sign in again.</Notice>
        )}
        <TextInput
          label="Username or email"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={missing.username}
          autoFocus
        />
        <PasswordField label="Password" name="password" autoComplete="current-password" error={missing.password} />
        <Link to="/auth/forgot-password" className={classes.forgot}>
          Forgot password?
        </Link>
        <Button type="submit" size="md" fullWidth loading={busy} mt={4}>
          Sign in
        </Button>
      </form>
      <DemoButtons busy={busy} choose={(role) => void attemptSignIn(() => first.enter(session.signInToDemo(role)))} />
      <p className={classes.other}>
        New to Assay? Sign up <Link to={joinAs('instructor')}>as an instructor</Link> or{' '}
        <Link to={joinAs('student')}>as a student</Link>
      </p>
    </AuthFrame>
  )
}

function DemoButtons({ busy, choose }: { busy: boolean; choose: (role: 'instructor' | 'student') => void }) {
  const demo = useGet(getDemo)
  const accounts = demo.data?.accounts ?? []
  if (accounts.length === 0) return null
  return (
    <section className={classes.demo} aria-label="Demo">
      {accounts.map(({ role }) => (
        <SecondaryButton key={role} size="md" fullWidth disabled={busy} onClick={() => choose(role)}>
          Try the demo as {role}
        </SecondaryButton>
      ))}
    </section>
  )
}
