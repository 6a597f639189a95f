import { evaluatePassword } from '@assay/shared/rules/password.ts'
import type { TextInputProps } from '@mantine/core'
import { IconCheck, IconCircle } from '@tabler/icons-react'
import { useId } from 'react'
import { PasswordField } from '../../../components/display/PasswordField.tsx'
import classes from './PasswordStrengthMeter.module.css'

const levelLabels = {
  very_weak: 'Very weak',
  weak: 'Weak',
  fair: 'Fair',
  good: 'Good',
  strong: 'Strong',
  very_strong: 'Very strong',
}

export function NewPasswordField({ password, ...input }: TextInputProps & { password: string }) {
  const strength = useId()
  return (
    <>
      <PasswordField label="Password" autoComplete="new-password" required aria-describedby={strength} {...input} />
      <PasswordStrengthMeter password={password} id={strength} />
    </>
  )
}

function PasswordStrengthMeter({ password, id }: { password: string; id: string }) {
  const check = evaluatePassword(password)
  const requirements = check.requirements
    .filter((one) => !one.met || password !== '')
    .slice(0, 7)
    .filter((one) => one.text.indexOf('exceed') < 0 || !one.met)
    .map(({ met, text }) => {
      const wanted = text.replace(/^Password must (be |contain )?/, '').replace(/^./, (first) => first.toUpperCase())
      return { met, text: wanted }
    })
  const label = levelLabels[check.level]
  return (
    <StrengthMeter
      {...{ id, requirements, label, level: check.level, value: check.overall, max: 100 }}
      word={password === '' ? '' : label}
      hint={password !== '' && !check.valid ? check.suggestions[0] : undefined}
    />
  )
}

interface MeterProps {
  id: string
  value: number
  max: number
  level: string | undefined
  label: string
  word: string | undefined
  requirements: readonly { text: string; met: boolean }[]
  hint?: string | undefined
}

export function StrengthMeter({ id, value, max, level, label, word, requirements, hint }: MeterProps) {
  return (
    <div className={classes.root} id={id}>
      <div className={classes.row}>
        {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike everywhere */}
        <div
          className={classes.track}
          role="meter"
          aria-label="Password strength"
          aria-valuemin={0}
          aria-valuemax={max}
          aria-valuenow={value}
          aria-valuetext={label}
        >
          <div className={classes.bar} data-level={level} style={{ width: `${(value / max) * 100}%` }} />
        </div>
        <span className={classes.word} aria-live="polite">
          {word}
        </span>
      </div>
      <ul className={classes.list}>
        {requirements.map(({ text, met }) => (
          <li key={text} data-met={met}>
            {met ? <IconCheck size={14} aria-label="Met:" /> : <IconCircle size={14} aria-label="Missing:" />}
            {text}
          </li>
        ))}
      </ul>
      {hint && <p className={classes.hint}>{hint}</p>}
    </div>
  )
}
