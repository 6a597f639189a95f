import { LateRule } from '@assay/shared/rules/dates.ts'
import { Radio, TextInput } from '@mantine/core'
import { timeZone } from '../../lib/local-time.ts'
import classes from './DateFields.module.css'
import { type DateValues, dateErrors } from './dates-form.ts'

interface Props {
  values: DateValues
  change: (values: DateValues) => void
  /** What the server had against a field. */
  errors: Record<string, string>
  disabled: boolean
}

const fields = [
  ['available_at', 'Opens', 'From then on students can hand in. Empty: as soon as it is published.'],
  ['due_at', 'Due', 'Students are reminded a day before.'],
  ['closes_at', 'Closes', 'After that nothing is taken any more.'],
] as const

const rules = {
  accept: ['Accept', 'Late papers are taken like any other, until the assignment closes.'],
  mark_late: [
    'Mark late',
    'Late papers are taken until the assignment closes, and marked late for you and the student.',
  ],
  refuse: ['Refuse', 'Nothing is taken after the due date.'],
} as const

/** When students may hand in, and what becomes of what comes late. Times are the teacher's own. */
export function DateFields({ values, change, errors, disabled }: Props) {
  const problems = dateErrors(values)
  return (
    <fieldset className={classes.root} disabled={disabled}>
      <legend>Dates</legend>
      <p className={classes.zone}>
        Times are yours: {timeZone()}. Students see them in their own. Released grades stay visible whatever the dates.
      </p>
      <div className={classes.fields}>
        {fields.map(([field, label, description]) => (
          <TextInput
            key={field}
            type="datetime-local"
            label={label}
            description={description}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            value={values[field]}
            onChange={(event) => change({ ...values, [field]: event.currentTarget.value })}
            error={problems[field] ?? errors[field]}
          />
        ))}
      </div>
      <Radio.Group
        label="Papers after the due date"
        value={values.late_rule}
        onChange={(rule) => change({ ...values, late_rule: LateRule.parse(rule) })}
        error={errors.late_rule}
      >
        <div className={classes.rules}>
          {LateRule.options.map((rule) => (
            <Radio key={rule} value={rule} label={rules[rule][0]} description={rules[rule][1]} />
          ))}
        </div>
      </Radio.Group>
    </fieldset>
  )
}
