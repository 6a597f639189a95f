import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { registerInstructor, registerStudent } from '@assay/shared/auth.ts'
import { getPublicSettings } from '@assay/shared/settings.ts'
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { PasswordField, UsernameInput } from '../../components/display/PasswordField.tsx'
import { ErrorNotice, Notice } from '../../components/feedback/Notice.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { redirectDestination, withRedirect } from '../../lib/session/redirect-paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { AuthFrame, TermsCheckbox } from './AuthFrame.tsx'
import classes from './auth.module.css'
import { NewPasswordField } from './passwords/PasswordStrengthMeter.tsx'
import { type RegisterValues, registerForm } from './register-rules.ts'

export function RegisterPage() {
  usePageTitle('Create an account')
  const session = useSession()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const asStudent = useSend(registerStudent)
  const asInstructor = useSend(registerInstructor)
  const instructors = useGet(getPublicSettings).data?.instructor_registration
  const form = useContractForm(
    registerStudent,
    registerForm(search.get('role') === 'student' ? 'student' : 'instructor'),
  )
  const checkLater = useAfterMouseUp((field: string) => void form.validateField(field))
  const checked = (field: keyof RegisterValues) => ({ ...form.getInputProps(field), onBlur: () => checkLater(field) })
  const { role, password, terms } = form.getValues()

  if (session.status === 'signedIn') return <Navigate to={redirectDestination(search, session.user.role)} replace />

  const register = form.submit(
    async (account, { role, institution }) => {
      if (role === 'student') await asStudent.send({ body: account })
      else await asInstructor.send({ body: { ...account, role, institution } })
      const who = role === 'student' ? 'Student' : 'Instructor'
      const registered = `${who} account created successfully! Please log in.`
      void navigate(`/auth/login?${withRedirect(search, { role })}`, { state: { registered } })
    },
    { refused: () => toast.error('Please fix the errors below') },
  )

  return (
    <AuthFrame
      title="Create an account"
      intro={
        <>
          Already have an account? <Link to={`/auth/login?${withRedirect(search)}`}>Sign in</Link>
        </>
      }
    >
      <form className={classes.fields} onSubmit={register} noValidate>
        <ErrorNotice error={form.failure} fallback="Registration failed. Please try again." />
        <SegmentedControl
          fullWidth
          aria-label="I am"
          data={[
            { label: 'Instructor', value: 'instructor' },
            { label: 'Student', value: 'student' },
          ]}
          {...form.getInputProps('role')}
        />
        {role === 'student' && (
          <p className="hint">Added to a course by a teacher? Use the link in your invitation email instead.</p>
        )}
        {role === 'instructor' && instructors === 'approval' && (
          <Notice>An administrator must approve instructor accounts before they can sign in.</Notice>
        )}
        {role === 'instructor' && instructors === 'closed' && (
          <Notice tone="warn">Instructors cannot register here. Ask your administrator for an account.</Notice>
        )}
        <TextInput label="Full Name" autoComplete="name" required {...checked('full_name')} />
        <TextInput label="Email Address" type="email" autoComplete="email" required {...checked('email')} />
        <UsernameInput {...checked('username')} />
        {role === 'instructor' && (
          <TextInput label="Institution" autoComplete="organization" required {...checked('institution')} />
        )}
        <NewPasswordField password={password} {...form.getInputProps('password')} />
        <PasswordField label="Confirm Password" autoComplete="new-password" required {...checked('confirm')} />
        <TermsCheckbox {...form.getInputProps('terms', { type: 'checkbox' })} />
        <Button
          type="submit"
          size="md"
          fullWidth
          disabled={!terms || (role === 'instructor' && instructors === 'closed')}
          loading={form.submitting}
        >
          Create account
        </Button>
      </form>
    </AuthFrame>
  )
}

/** Waits until the mouse button is up: a new message could move what was pressed, and lose the click. */
function useAfterMouseUp<T>(act: (what: T) => void): (what: T) => void {
  const down = useRef(false)
  const waiting = useRef<T[]>([])
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = () => {
      down.current = true
    }
    const release = () => {
      down.current = false
      // The click itself comes just after this.
      timer = setTimeout(() => {
        for (const what of waiting.current.splice(0)) latest.current(what)
      })
    }
    document.addEventListener('mousedown', press, true)
    document.addEventListener('mouseup', release, true)
    document.addEventListener('dragend', release, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('mousedown', press, true)
      document.removeEventListener('mouseup', release, true)
      document.removeEventListener('dragend', release, true)
    }
  }, [])
  return (what) => {
    if (down.current) waiting.current.push(what)
    else latest.current(what)
  }
}
