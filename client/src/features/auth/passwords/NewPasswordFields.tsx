import { passwordCriteria, passwordStrength } from '@assay/shared/rules/password.ts'
import type { UseFormReturnType } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { PasswordField } from '../../../components/display/PasswordField.tsx'
import classes from '../auth.module.css'
import { StrengthMeter } from './PasswordStrengthMeter.tsx'

export function NewPasswordFields<V extends NewPasswordValues>({ form }: { form: UseFormReturnType<V> }) {
  const strength = useId()
  const { password, confirm } = form.getValues()
  return (
    <>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        aria-describedby={strength}
        {...form.getInputProps('password')}
      />
      <PasswordPointsMeter password={password} id={strength} />
      <div>
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          required
          {...form.getInputProps('confirm')}
        />
        <p className={classes.match} aria-live="polite">
          {password !== '' && password === confirm && (
            <>
              <IconCheck size={14} aria-hidden /> Passwords match
            </>
          )}
        </p>
      </div>
    </>
  )
}

const levelLabels = ['', 'Very Weak', 'Weak', 'Fair', 'Good', 'Strong']
const levels = ['very_weak', 'very_weak', 'weak', 'fair', 'good', 'strong']

function PasswordPointsMeter({ password, id }: { password: string; id: string }) {
  const value = passwordStrength(password)
  const word = levelLabels[value] ?? ''
  const requirements = passwordCriteria(password)
  return <StrengthMeter {...{ id, value, max: 5, level: levels[value], label: word || 'None', word, requirements }} />
}

interface NewPasswordValues extends Record<string, unknown> {
  password: string
  confirm: string
}

export const emptyNewPassword = { password: '', confirm: '' }

export function newPasswordErrors({ password, confirm }: NewPasswordValues, what = 'Password') {
  return {
    ...(password === '' ? { password: `${what} is required` } : {}),
    ...(confirm === password ? {} : { confirm: 'Passwords do not match' }),
  }
}
