import { changePassword, forgotPassword } from '@assay/shared/auth.ts'
import type { Profile } from '@assay/shared/profile.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { PasswordField } from '../../components/display/PasswordField.tsx'
import { ErrorNotice, Notice } from '../../components/feedback/Notice.tsx'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { toast } from '../../lib/toast.ts'
import { emptyNewPassword, NewPasswordFields, newPasswordErrors } from '../auth/passwords/NewPasswordFields.tsx'
import classes from './ProfilePage.module.css'

export function ChangePassword({ profile, unsaved }: { profile: Profile; unsaved: (unsaved: boolean) => void }) {
  return (
    <section className={classes.card} aria-labelledby="password">
      <div className={classes.head}>
        <h2 id="password">Password &amp; Security</h2>
      </div>
      {profile.has_password ? (
        <ChangeForm username={profile.username} unsaved={unsaved} />
      ) : (
        <SetFirstPassword email={profile.email} />
      )}
    </section>
  )
}

function ChangeForm({ username, unsaved }: { username: string; unsaved: (unsaved: boolean) => void }) {
  const { send } = useSend(changePassword)
  const form = useContractForm(changePassword, {
    initialValues: { current: '', ...emptyNewPassword },
    toBody: ({ current, password }) => ({ current_password: current, new_password: password }),
    check: (values) => newPasswordErrors(values, 'New password'),
    names: { current_password: 'current', new_password: 'password' },
  })
  const { current, password, confirm } = form.getValues()
  const dirty = current + password + confirm !== ''
  useEffect(() => unsaved(dirty), [dirty, unsaved])

  const submit = form.submit(async (body) => {
    toast.success((await send({ body })).message)
    form.reset()
  })

  return (
    <form className={classes.fields} onSubmit={submit} noValidate>
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        {...form.getInputProps('current')}
      />
      <NewPasswordFields form={form} />
      <ErrorNotice error={form.failure} fallback="Your password could not be changed. Please try again." />
      <div className="centered-row">
        <Button type="submit" size="sm" loading={form.submitting}>
          Change Password
        </Button>
        <span className={classes.dim}>You will be signed out on all other devices.</span>
      </div>
    </form>
  )
}

/** An account that came without a password sets one by mail, as a forgotten one is reset. */
function SetFirstPassword({ email }: { email: string }) {
  const { attempt, sending, error } = useSend(forgotPassword)
  const [mailed, setMailed] = useState(false)
  const ask = async () => setMailed((await attempt({ body: { email } })) !== undefined)
  return (
    <div className={classes.fields}>
      <p className={classes.text}>This account has no password yet. We can email a link to {email} to set one.</p>
      <ErrorNotice error={error} fallback="Failed to send reset email. Please try again." />
      <div role="status">{mailed && <Notice>Check your email. The link works for an hour.</Notice>}</div>
      <div className="centered-row">
        <Button size="sm" variant="default" loading={sending} onClick={() => void ask()}>
          Email me a link
        </Button>
      </div>
    </div>
  )
}
