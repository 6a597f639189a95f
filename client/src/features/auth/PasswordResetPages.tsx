import { forgotPassword, resetPassword } from '@assay/shared/auth.ts'
import { Button, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { ErrorNotice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'
import { InvalidLink, LinkLoading, useEmailLink } from './EmailLinkScreens.tsx'
import { emptyNewPassword, NewPasswordFields, newPasswordErrors } from './passwords/NewPasswordFields.tsx'

const TITLE = 'Set a new password'
const FAILED = 'Failed to reset password. Please try again.'
const LOGIN_AFTER_MS = 3000

export function ResetPasswordPage() {
  usePageTitle(TITLE)
  const { token, link, error } = useEmailLink('reset')
  const [refused, setRefused] = useState(false)
  const [done, setDone] = useState(false)
  if (done) return <Done />
  if (link === null || refused)
    return (
      <InvalidLink title="Invalid Reset Link" again="Request a new link">
        Invalid reset link. Please request a new password reset.
      </InvalidLink>
    )
  // If the look-up fails, the form may still work: the server checks again.
  if (link || error) {
    return (
      <NewPasswordForm
        token={token}
        username={link?.username}
        refused={() => setRefused(true)}
        done={() => setDone(true)}
      />
    )
  }
  return <LinkLoading title={TITLE} />
}

interface FormProps {
  token: string
  username: string | undefined
  refused: () => void
  done: () => void
}

function NewPasswordForm({ token, username, refused, done }: FormProps) {
  const session = useSession()
  const [search] = useSearchParams()
  const { send } = useSend(resetPassword)
  const form = useContractForm(resetPassword, {
    initialValues: emptyNewPassword,
    toBody: ({ password }) => ({ token, new_password: password }),
    check: (values) => newPasswordErrors(values),
    names: { new_password: 'password' },
  })
  const account = username ?? search.get('email') ?? ''

  const submit = form.submit(
    async (body) => {
      await send({ body })
      // The reset has ended this account's sessions.
      if (session.status === 'signedIn' && session.user.username === username) tokenStore.set(null)
      toast.success('Password reset successfully!')
      done()
    },
    { failed: (error) => (error.code === 'link_invalid' ? refused() : toast.error(messageOf(error, FAILED))) },
  )

  return (
    <AuthFrame
      title={TITLE}
      intro={
        account && (
          <>
            For the account <strong className={classes.address}>{account}</strong>. You will be signed out everywhere.
          </>
        )
      }
    >
      <form className={classes.fields} onSubmit={submit} noValidate>
        <ErrorNotice error={form.failure} fallback={FAILED} />
        <input type="hidden" name="username" autoComplete="username" value={account} readOnly />
        <NewPasswordFields form={form} />
        <Button type="submit" size="md" fullWidth loading={form.submitting}>
          Reset password
        </Button>
      </form>
      <p className={classes.other}>
        <Link to="/auth/login">Back to login</Link>
      </p>
    </AuthFrame>
  )
}

function Done() {
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => navigate('/auth/login', { replace: true }), LOGIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <AuthFrame title="Password reset successfully!">
      <div className={classes.fields}>
        <p className="plain" role="status">
          Your new password is active. Taking you to the sign-in page…
        </p>
        <PrimaryLinkButton to="/auth/login" size="md" fullWidth>
          Go to login
        </PrimaryLinkButton>
      </div>
    </AuthFrame>
  )
}

const SEND_FAILED = 'Failed to send reset email. Please try again.'

export function ForgotPasswordPage() {
  usePageTitle('Forgot password')
  const [search] = useSearchParams()
  const [email, setEmail] = useState(search.get('email') ?? '')
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (sentTo !== null) return <CheckYourEmail email={sentTo} again={() => setSentTo(null)} />
  return (
    <AskForLink
      email={email}
      sent={(address) => {
        setEmail(address)
        setSentTo(address.trim())
      }}
    />
  )
}

function AskForLink({ email, sent }: { email: string; sent: (email: string) => void }) {
  const { send } = useSend(forgotPassword)
  const form = useContractForm(forgotPassword, { initialValues: { email }, toBody: (values) => values })
  const submit = form.submit(
    async (body) => {
      await send({ body })
      toast.success('Password reset email sent!')
      sent(body.email)
    },
    { failed: (error) => toast.error(messageOf(error, SEND_FAILED)) },
  )
  return (
    <AuthFrame
      title="Forgot your password?"
      intro="Enter your account’s email address and we’ll send you a link to set a new password."
    >
      <form className={classes.fields} onSubmit={submit} noValidate>
        <ErrorNotice error={form.failure} fallback={SEND_FAILED} />
        <TextInput
          label="Email Address"
          type="email"
          autoComplete="email"
          required
          autoFocus
          {...form.getInputProps('email')}
        />
        <Button type="submit" size="md" fullWidth loading={form.submitting}>
          Send reset link
        </Button>
      </form>
      <p className={classes.other}>
        <Link to="/auth/login">Back to login</Link>
      </p>
    </AuthFrame>
  )
}

function CheckYourEmail({ email, again }: { email: string; again: () => void }) {
  return (
    <AuthFrame title="Check your email">
      <div className={classes.fields} role="status">
        <p className="plain">
          If an account has the address <strong className={classes.address}>{email}</strong>, a link to set a new
          password is on its way. It works once and expires in an hour.
        </p>
        <p className="plain">Nothing after a few minutes? Check your spam folder.</p>
      </div>
      <div className={classes.fields}>
        <SecondaryButton size="md" fullWidth onClick={again}>
          Try again with different email
        </SecondaryButton>
        <PrimaryLinkButton to="/auth/login" size="md" fullWidth>
          Back to login
        </PrimaryLinkButton>
      </div>
    </AuthFrame>
  )
}
