import { Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './AdjustScoresModal.module.css'
import type { AdjustScoresValues } from './adjust-scores-form.ts'

interface Props {
  values: AdjustScoresValues
  change: (part: Partial<AdjustScoresValues>) => void
  errors: Record<string, ReactNode>
  /** Late work is marked late. */
  possible: boolean
}

const fields = [
  ['per_day', 'Taken per day late', 'Percentage points'],
  ['most', 'At most', 'Percentage points'],
  ['grace', 'Grace period', 'Minutes after the due date'],
] as const

export function LatePenaltyFields({ values, change, errors, possible }: Props) {
  return (
    <fieldset className={classes.fieldset}>
      <legend>Late work</legend>
      <Switch
        label="Take points for late work"
        description={
          possible
            ? 'For each day begun after the due date, or after a student’s extension. Papers you uploaded yourself have no penalty.'
            : 'First choose “Mark late” for papers after the due date in the settings, and save.'
        }
        data-path="late"
        checked={values.late}
        disabled={!possible}
        error={errors.late}
        onChange={(event) => change({ late: event.currentTarget.checked })}
      />
      {values.late && (
        <div className={classes.fields}>
          {fields.map(([field, label, description]) => (
            <TextInput
              key={field}
              data-path={field}
              inputMode="decimal"
              label={label}
              description={description}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              value={values[field]}
              error={errors[field]}
              onChange={(event) => change({ [field]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
