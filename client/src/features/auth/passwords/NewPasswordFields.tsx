import { passwordCriteria, passwordStrength } from '@assay/shared/rules/password.ts'
import type { UseFormReturnType } from '@mantine/form'
import { IconCheck, IconCircle } from '@tabler/icons-react'
import { useId } from 'react'
import { PasswordField } from '../../../components/display/PasswordField.tsx'
import classes from '../auth.module.css'
import passwordStrengthMeterClasses from './PasswordStrengthMeter.module.css'

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

/** How many of the five points a reset password has; three are needed. */
function PasswordPointsMeter({ password, id }: { password: string; id: string }) {
  const strength = passwordStrength(password)
  return (
    <div className={passwordStrengthMeterClasses.root} id={id}>
      <div className={passwordStrengthMeterClasses.row}>
        {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike everywhere */}
        <div
          className={passwordStrengthMeterClasses.track}
          role="meter"
          aria-label="Password strength"
          aria-valuemin={0}
          aria-valuemax={5}
          aria-valuenow={strength}
          aria-valuetext={levelLabels[strength] || 'None'}
        >
          <div
            className={passwordStrengthMeterClasses.bar}
            data-level={levels[strength]}
            style={{ width: `${strength * 20}%` }}
          />
        </div>
        <span className={passwordStrengthMeterClasses.word} aria-live="polite">
          {levelLabels[strength]}
        </span>
      </div>
      <ul className={passwordStrengthMeterClasses.list}>
        {passwordCriteria(password).map(({ text, met }) => (
          <li key={text} data-met={met}>
            {met ? <IconCheck size={14} aria-label="Met:" /> : <IconCircle size={14} aria-label="Missing:" />}
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface NewPasswordValues extends Record<string, unknown> {
  password: string
  confirm: string
}

export const emptyNewPassword = { password: '', confirm: '' }

/** What the contract does not say: `what` the password's field is called, and that both are the same. */
export function newPasswordErrors({ password, confirm }: NewPasswordValues, what = 'Password') {
  return {
    ...(password === '' ? { password: `${what} is required` } : {}),
    ...(confirm === password ? {} : { confirm: 'Passwords do not match' }),
  }
}
