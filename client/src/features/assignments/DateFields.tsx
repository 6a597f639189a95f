import type { Assignment } from '@assay/shared/assignments.ts'
import { type DateProblem, dateProblems, handInWindow, lateRules } from '@assay/shared/rules/dates.ts'
import { Radio, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { fromLocalInput, timeZone, toLocalInput } from '../../lib/local-time.ts'
import classes from './DateFields.module.css'

interface Props {
  values: DateValues
  change: (part: Partial<DateValues>) => void
  errors: Record<string, ReactNode>
  disabled: boolean
}

const fields = [
  ['available_at', 'Opens', 'When students can start handing in. Leave empty to open when published.'],
  ['due_at', 'Due', 'Students get a reminder one day before.'],
  ['closes_at', 'Closes', 'No papers are accepted after this.'],
] as const

const rules = {
  accept: ['Accept', 'Late papers are accepted until the assignment closes.'],
  mark_late: [
    'Mark late',
    'Late papers are accepted until the assignment closes and marked as late. Under Scores in the settings you can take points for each day.',
  ],
  refuse: ['Refuse', 'No papers are accepted after the due date.'],
} as const

export function DateFields({ values, change, errors, disabled }: Props) {
  const problems = dateErrors(values)
  return (
    <fieldset className={classes.root} disabled={disabled}>
      <legend>Dates</legend>
      <p className="hint">
        Your time zone: {timeZone().replaceAll('_', ' ')}. Students see times in their own time zone. Released grades
        stay visible after these dates.
      </p>
      <div className={classes.fields}>
        {fields.map(([field, label, description]) => (
          <TextInput
            key={field}
            data-path={field}
            type="datetime-local"
            label={label}
            description={description}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            value={values[field]}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
            error={problems[field] ?? errors[field]}
          />
        ))}
      </div>
      <Radio.Group
        label="Papers after the due date"
        value={values.late_rule}
        onChange={(chosen) => change({ late_rule: lateRules.find((rule) => rule === chosen) ?? values.late_rule })}
        error={errors.late_rule}
      >
        <div className={classes.rules}>
          {lateRules.map((rule) => (
            <Radio key={rule} value={rule} label={rules[rule][0]} description={rules[rule][1]} />
          ))}
        </div>
      </Radio.Group>
    </fieldset>
  )
}

/** Local times, empty for none. */
export type DateValues = ReturnType<typeof dateValuesOf>

export const noDates: DateValues = { available_at: '', due_at: '', closes_at: '', late_rule: 'accept' }

type AssignmentDateFields = Pick<Assignment, 'available_at' | 'due_at' | 'closes_at' | 'late_rule'>

export function dateValuesOf({ available_at, due_at, closes_at, late_rule }: AssignmentDateFields) {
  return {
    available_at: toLocalInput(available_at),
    due_at: toLocalInput(due_at),
    closes_at: toLocalInput(closes_at),
    late_rule,
  }
}

export const dateOf = (iso: string | null) => (iso === null ? null : new Date(iso))

export function dateErrors(values: Omit<DateValues, 'late_rule'>): Partial<Record<DateProblem['field'], string>> {
  const problems = dateProblems({
    available_at: dateOf(fromLocalInput(values.available_at)),
    due_at: dateOf(fromLocalInput(values.due_at)),
    closes_at: dateOf(fromLocalInput(values.closes_at)),
  })
  return Object.fromEntries(problems.map(({ field, message }) => [field, message]))
}

export const datesOf = ({ available_at, due_at, closes_at, late_rule }: AssignmentDateFields) => ({
  available_at: dateOf(available_at),
  due_at: dateOf(due_at),
  closes_at: dateOf(closes_at),
  late_rule,
})

export const withDatesState = <T extends AssignmentDateFields>(assignment: T) => ({
  ...assignment,
  dates_state: handInWindow(datesOf(assignment), null, new Date()).state,
})
