import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { acceptInvitation, type MailedLink } from '@assay/shared/auth.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PasswordField, UsernameInput } from '../../components/display/PasswordField.tsx'
import { ErrorNotice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { AuthFrame, TermsCheckbox } from './AuthFrame.tsx'
import classes from './auth.module.css'
import { InvalidLink, LinkFailed, LinkLoading, useEmailLink } from './EmailLinkScreens.tsx'
import { NewPasswordField } from './passwords/PasswordStrengthMeter.tsx'
import { invitationForm } from './register-rules.ts'
import { useSignInRedirect } from './useSignInRedirect.ts'

const TITLE = 'Claim your account'

export function AcceptInvitationPage() {
  usePageTitle(TITLE)
  const { token, link, error, reload } = useEmailLink('invitation')
  const [refused, setRefused] = useState(false)
  if (link === null || refused)
    return (
      <InvalidLink title="This invitation has expired" again="Email me a new link">
        It was already used or is older than 60 days. If you already have an account, log in. Otherwise, request a new
        link.
      </InvalidLink>
    )
  if (link) return <ClaimForm token={token} link={link} refused={() => setRefused(true)} />
  if (error) return <LinkFailed title={TITLE} error={error} retry={reload} />
  return <LinkLoading title={TITLE} />
}

function ClaimForm({ token, link, refused }: { token: string; link: MailedLink; refused: () => void }) {
  const session = useSession()
  const { enter } = useSignInRedirect('Welcome to Assay!')
  const form = useContractForm(acceptInvitation, invitationForm(token, link.username, link.full_name ?? ''))
  const { password, terms } = form.getValues()
  const claim = form.submit((body) => enter(session.signInWith(callApi(acceptInvitation, { body }))), {
    refused: () => toast.error('Please fix the errors below'),
    failed: (error) => error.code === 'link_invalid' && refused(),
  })
  return (
    <AuthFrame
      title={TITLE}
      intro={
        <>
          For <strong className={classes.address}>{link.email}</strong>. Choose a password to finish.
        </>
      }
    >
      <form className={classes.fields} onSubmit={claim} noValidate>
        <ErrorNotice error={form.failure} fallback="Registration failed. Please try again." />
        <TextInput label="Full Name" autoComplete="name" required {...form.getInputProps('full_name')} />
        <UsernameInput {...form.getInputProps('username')} />
        <NewPasswordField password={password} {...form.getInputProps('password')} />
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          required
          {...form.getInputProps('confirm')}
        />
        <TermsCheckbox {...form.getInputProps('terms', { type: 'checkbox' })} />
        <Button type="submit" size="md" fullWidth disabled={!terms} loading={form.submitting}>
          Claim account
        </Button>
      </form>
    </AuthFrame>
  )
}
