import { forgotPassword } from '@assay/shared/auth.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { PrimaryLinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { ErrorNotice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { toast } from '../../lib/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'

const FAILED = 'Failed to send reset email. Please try again.'

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
    { failed: (error) => toast.error(messageOf(error, FAILED)) },
  )

  return (
    <AuthFrame
      title="Forgot your password?"
      intro="Enter your account’s email address and we’ll send you a link to set a new password."
    >
      <form className={classes.fields} onSubmit={submit} noValidate>
        <ErrorNotice error={form.failure} fallback={FAILED} />
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
