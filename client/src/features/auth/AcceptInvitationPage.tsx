import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { acceptInvitation, type MailedLink } from '@assay/shared/auth.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { PasswordField } from '../../components/display/PasswordField.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'
import { callApi } from '../../lib/api/http-client.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import classes from './auth.module.css'
import { InvalidLink, LinkFailed, LinkLoading } from './EmailLinkScreens.tsx'
import { LegalLink } from './LegalLink.tsx'
import { PasswordStrengthMeter } from './passwords/PasswordStrengthMeter.tsx'
import { errorsByField, type InvitationValues, invitationProblems } from './register-rules.ts'
import { useEmailLink } from './useEmailLink.ts'
import { useSignInRedirect } from './useSignInRedirect.ts'

const TITLE = 'Claim your account'

export function AcceptInvitationPage() {
  usePageTitle(TITLE)
  const { token, link, error, reload } = useEmailLink('invitation')
  const [refused, setRefused] = useState(false)
  if (link === null || refused) return <Invalid />
  if (link) return <ClaimForm token={token} link={link} refused={() => setRefused(true)} />
  if (error) return <LinkFailed title={TITLE} error={error} retry={reload} />
  return <LinkLoading title={TITLE} />
}

function Invalid() {
  return (
    <InvalidLink
      title="This invitation has expired"
      actions={
        <Button component={Link} to="/auth/forgot-password" size="md" fullWidth>
          Email me a new link
        </Button>
      }
    >
      It was already used or is older than 60 days. If you already have an account, log in. Otherwise, request a new
      link.
    </InvalidLink>
  )
}

function ClaimForm({ token, link, refused }: { token: string; link: MailedLink; refused: () => void }) {
  const session = useSession()
  const { enter } = useSignInRedirect('Welcome to Assay!')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const strength = useId()
  const form = useForm<InvitationValues>({
    initialValues: {
      full_name: link.full_name ?? '',
      username: link.username,
      password: '',
      confirm: '',
      terms: false,
    },
    validate: (values) => invitationProblems(values, token),
    onSubmitPreventDefault: 'always',
  })
  const { password, terms } = form.getValues()

  async function claim({ username, full_name, password }: InvitationValues) {
    setFailure(null)
    setBusy(true)
    try {
      const body = { token, username, full_name, password }
      await enter(session.signInBy(callApi(acceptInvitation, { body })))
    } catch (cause) {
      setBusy(false)
      const error = asApiError(cause)
      if (error.code === 'link_invalid') return refused()
      const byField = errorsByField(error.status, error.fields, error.message)
      if (Object.keys(byField).length > 0) form.setErrors(byField)
      else setFailure(messageOf(error, 'Registration failed. Please try again.'))
    }
  }

  return (
    <AuthFrame
      title={TITLE}
      intro={
        <>
          For <strong className={classes.address}>{link.email}</strong>. Choose a password to finish.
        </>
      }
    >
      <form
        className={classes.fields}
        onSubmit={form.onSubmit(
          (values) => void claim(values),
          () => toast.bad('Please fix the errors below'),
        )}
        noValidate
      >
        {failure && <Notice tone="bad">{failure}</Notice>}
        <TextInput label="Full Name" autoComplete="name" required {...form.getInputProps('full_name')} />
        <TextInput
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...form.getInputProps('username')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          required
          aria-describedby={strength}
          {...form.getInputProps('password')}
        />
        <PasswordStrengthMeter password={password} id={strength} />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          required
          {...form.getInputProps('confirm')}
        />
        <Checkbox
          className={classes.terms}
          label={
            <>
              I accept the <LegalLink to="/terms">terms</LegalLink> and have read the{' '}
              <LegalLink to="/privacy">privacy notice</LegalLink>
            </>
          }
          {...form.getInputProps('terms', { type: 'checkbox' })}
        />
        <Button type="submit" size="md" fullWidth disabled={!terms} loading={busy}>
          Claim account
        </Button>
      </form>
    </AuthFrame>
  )
}
