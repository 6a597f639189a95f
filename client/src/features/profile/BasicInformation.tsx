import type { Profile } from '@assay/shared/profile.ts'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { asApiError, messageOf } from '../../lib/api/api-error.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { errorsByField } from '../auth/register-rules.ts'
import { ConfirmAddressNotice } from './ConfirmAddressNotice.tsx'
import classes from './ProfilePage.module.css'
import { type BasicValues, basicProblems, basicValuesOf, profileChanges } from './profile-form.ts'
import { useUpdateProfile } from './useProfile.ts'

interface Props {
  profile: Profile
  changed: (profile: Profile) => void
  unsaved: (unsaved: boolean) => void
}

export function BasicInformation({ profile, changed, unsaved }: Props) {
  const session = useSession()
  const { send, sending } = useUpdateProfile()
  const [draft, setDraft] = useState<Partial<BasicValues>>({})
  const [problems, setProblems] = useState<Partial<Record<keyof BasicValues, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const values = { ...basicValuesOf(profile), ...draft }
  const changes = profileChanges(profile, values)
  const dirty = Object.keys(changes).length > 0

  useEffect(() => unsaved(dirty), [dirty, unsaved])

  function cancel() {
    setDraft({})
    setProblems({})
    setFailure(null)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    setFailure(null)
    if (!dirty) return toast.note('No changes to save')
    const wrong = basicProblems(profile, values)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return toast.bad('Please fix the errors below')
    try {
      changed(await send({ body: changes }))
    } catch (cause) {
      const error = asApiError(cause)
      const byField = errorsByField(error.status, error.fields, error.message)
      setProblems(byField)
      if (Object.keys(byField).length === 0) setFailure(messageOf(error, 'Failed to update profile. Please try again.'))
      return
    }
    cancel()
    toast.good('Profile updated successfully!')
    await session.refresh()
  }

  const field = (name: keyof BasicValues) => ({
    value: values[name],
    error: problems[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget
      setDraft((now) => ({ ...now, [name]: value }))
    },
  })

  return (
    <section className={classes.card} aria-labelledby="basic">
      <div className={classes.head}>
        <h2 id="basic">Basic Information</h2>
        <span role="status">{dirty && <span className={classes.badge}>You have unsaved changes</span>}</span>
      </div>
      <form className={classes.fields} onSubmit={(event) => void save(event)} noValidate>
        <TextInput
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...field('username')}
        />
        <TextInput label="Email" type="email" autoComplete="email" required {...field('email')} />
        {!profile.email_verified && <ConfirmAddressNotice email={profile.email} />}
        <TextInput label="Full Name" autoComplete="name" {...field('full_name')} />
        {profile.role !== 'student' && (
          <TextInput label="Institution" autoComplete="organization" {...field('institution')} />
        )}
        {failure && <Notice tone="bad">{failure}</Notice>}
        <div className={classes.buttons}>
          <Button type="submit" size="sm" loading={sending}>
            Save Changes
          </Button>
          <Button size="sm" variant="default" disabled={!dirty || sending} onClick={cancel}>
            Cancel
          </Button>
        </div>
      </form>
    </section>
  )
}
