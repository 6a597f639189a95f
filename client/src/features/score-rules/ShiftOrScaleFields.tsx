import { Radio, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './AdjustScoresModal.module.css'
import type { AdjustScoresValues } from './adjust-scores-form.ts'

interface Props {
  values: AdjustScoresValues
  change: (part: Partial<AdjustScoresValues>) => void
  errors: Record<string, ReactNode>
}

const kinds = [
  ['none', 'Count as graded', undefined],
  ['shift', 'Add percentage points', 'The same for every paper. A number below 0 takes points.'],
  ['scale', 'Multiply', 'Every score by the same factor.'],
  [
    'scale_to_best',
    'Raise the best paper to 100 %',
    'The others by the same factor, which later papers do not change.',
  ],
] as const

const fields: Partial<Record<AdjustScoresValues['kind'], { name: 'points' | 'factor'; label: string }>> = {
  shift: { name: 'points', label: 'Points to add' },
  scale: { name: 'factor', label: 'Factor' },
}

/** Comes before a late penalty; no score goes above 100 % or below 0. */
export function ShiftOrScaleFields({ values, change, errors }: Props) {
  return (
    <fieldset className={classes.fieldset}>
      <legend>All scores</legend>
      <Radio.Group
        aria-label="All scores"
        value={values.kind}
        onChange={(kind) => change({ kind: kinds.find(([one]) => one === kind)?.[0] ?? 'none' })}
        error={errors.kind}
      >
        <div className={classes.rules}>
          {kinds.map(([kind, label, description]) => (
            <div key={kind} className={classes.rules}>
              <Radio value={kind} label={label} description={description} />
              {values.kind === kind && fields[kind] && (
                <TextInput
                  className={classes.inRule}
                  data-path={fields[kind].name}
                  label={fields[kind].label}
                  value={values[fields[kind].name]}
                  error={errors[fields[kind].name]}
                  onChange={(event) => change({ [fields[kind]?.name ?? '']: event.currentTarget.value })}
                />
              )}
            </div>
          ))}
        </div>
      </Radio.Group>
    </fieldset>
  )
}
