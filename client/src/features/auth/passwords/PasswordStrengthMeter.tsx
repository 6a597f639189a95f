import { evaluatePassword } from '@assay/shared/rules/password.ts'
import { IconCheck, IconCircle } from '@tabler/icons-react'
import classes from './PasswordStrengthMeter.module.css'

const levelLabels = {
  very_weak: 'Very weak',
  weak: 'Weak',
  fair: 'Fair',
  good: 'Good',
  strong: 'Strong',
  very_strong: 'Very strong',
}

export function PasswordStrengthMeter({ password, id }: { password: string; id: string }) {
  const check = evaluatePassword(password)
  const shown = check.requirements.filter((one) => !one.met || password !== '').slice(0, 7)
  return (
    <div className={classes.root} id={id}>
      <div className={classes.row}>
        {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike everywhere */}
        <div
          className={classes.track}
          role="meter"
          aria-label="Password strength"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={check.overall}
          aria-valuetext={levelLabels[check.level]}
        >
          <div className={classes.bar} data-level={check.level} style={{ width: `${check.overall}%` }} />
        </div>
        <span className={classes.word} aria-live="polite">
          {password === '' ? '' : levelLabels[check.level]}
        </span>
      </div>
      <ul className={classes.list}>
        {shown
          .filter((one) => one.text.indexOf('exceed') < 0 || !one.met)
          .map((one) => (
            <li key={one.text} data-met={one.met}>
              {one.met ? <IconCheck size={14} aria-label="Met:" /> : <IconCircle size={14} aria-label="Missing:" />}
              {one.text.replace(/^Password must (be |contain )?/, '').replace(/^./, (first) => first.toUpperCase())}
            </li>
          ))}
      </ul>
      {password !== '' && !check.valid && check.suggestions[0] && (
        <p className={classes.hint}>{check.suggestions[0]}</p>
      )}
    </div>
  )
}
