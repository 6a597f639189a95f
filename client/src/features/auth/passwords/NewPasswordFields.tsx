import type { UseFormReturnType } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { PasswordField } from '../../../components/display/PasswordField.tsx'
import classes from '../auth.module.css'
import type { NewPasswordValues } from './new-password-rules.ts'
import { PasswordPointsMeter } from './PasswordPointsMeter.tsx'

/** A new password, how strong it is, and the same once more. */
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
