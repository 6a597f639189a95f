import { passwordCriteria, passwordStrength } from '@assay/shared/rules/password.ts'
import { IconCheck, IconCircle } from '@tabler/icons-react'
import classes from './PasswordStrengthMeter.module.css'

const levelLabels = ['', 'Very Weak', 'Weak', 'Fair', 'Good', 'Strong']
const levels = ['very_weak', 'very_weak', 'weak', 'fair', 'good', 'strong']

/** How many of the five points a reset password has; three are needed. */
export function PasswordPointsMeter({ password, id }: { password: string; id: string }) {
  const strength = passwordStrength(password)
  return (
    <div className={classes.root} id={id}>
      <div className={classes.row}>
        {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike everywhere */}
        <div
          className={classes.track}
          role="meter"
          aria-label="Password strength"
          aria-valuemin={0}
          aria-valuemax={5}
          aria-valuenow={strength}
          aria-valuetext={levelLabels[strength] || 'None'}
        >
          <div className={classes.bar} data-level={levels[strength]} style={{ width: `${strength * 20}%` }} />
        </div>
        <span className={classes.word} aria-live="polite">
          {levelLabels[strength]}
        </span>
      </div>
      <ul className={classes.list}>
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
