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
  ['shift', 'Add points', 'The same for every paper, of 100. Less than 0 takes points.'],
  ['scale', 'Multiply', 'Every score by the same factor.'],
  [
    'scale_to_best',
    'Raise the best paper to 100 %',
    'The others by the same factor, which later papers do not change.',
  ],
] as const

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
            <Radio key={kind} value={kind} label={label} description={description} />
          ))}
        </div>
      </Radio.Group>
      {values.kind === 'shift' && (
        <TextInput
          className={classes.short}
          data-path="points"
          label="Points to add"
          value={values.points}
          error={errors.points}
          onChange={(event) => change({ points: event.currentTarget.value })}
        />
      )}
      {values.kind === 'scale' && (
        <TextInput
          className={classes.short}
          data-path="factor"
          inputMode="decimal"
          label="Factor"
          value={values.factor}
          error={errors.factor}
          onChange={(event) => change({ factor: event.currentTarget.value })}
        />
      )}
    </fieldset>
  )
}
