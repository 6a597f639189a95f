import type { Assignment } from '@assay/shared/assignments.ts'
import {
  type AssignmentScoreRules,
  previewScoreRules,
  type ScoreRulesPreview,
  setScoreRules,
  type WantedRules,
} from '@assay/shared/score-rules.ts'
import { Button, Modal, Radio, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CancelButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatPoints } from '../../../lib/format.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import classes from './AdjustScoresModal.module.css'
import { PreviewFigures } from './PreviewFigures.tsx'

interface Props {
  assignment: Pick<Assignment, 'id' | 'status' | 'lms_names'>
  rules: AssignmentScoreRules
  opened: boolean
  close: () => void
  saved: (rules: AssignmentScoreRules) => void
}

export function AdjustScoresModal(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.close} title="Adjust scores" size="lg">
      {props.opened && <AdjustScoresForm key={props.rules.version} {...props} />}
    </Modal>
  )
}

/** The button shows the effect first, and then saves exactly that. */
function AdjustScoresForm({ assignment, rules, close, saved }: Props) {
  const params = { assignmentId: assignment.id }
  const ask = useSend(previewScoreRules)
  const save = useSend(setScoreRules)
  const [preview, setPreview] = useState<ScoreRulesPreview | null>(null)
  const form = useContractForm(previewScoreRules, {
    initialValues: valuesOf(rules),
    toBody: (values) => wantedRules(values, rules),
    names: fieldNames,
  })

  const change: typeof form.change = (part) => {
    form.change(part)
    setPreview(null)
  }
  const submit = form.submit(async (body) => {
    if (!preview) {
      setPreview(await ask.send({ params, body }))
      return
    }
    // The factor as previewed: the best paper may be another one by now.
    const shown = { ...body, adjustment: preview.adjustment }
    saved(await save.send({ params, body: { ...shown, version: rules.version } }))
    close()
  })

  return (
    <form className={classes.root} onSubmit={submit} noValidate>
      <p className="dim">Scores as graded stay as they are. You can change or undo this at any time.</p>
      <LatePenaltyFields
        values={form.values}
        change={change}
        errors={form.errors}
        possible={rules.late_rule === 'mark_late' || rules.late_penalty !== null}
      />
      <ShiftOrScaleFields values={form.values} change={change} errors={form.errors} />
      {(rules.bonus_points > 0 || rules.bonus_limit != null) && (
        <TextInput
          data-path="bonus"
          inputMode="decimal"
          label="Points of bonus questions beyond the total, at most"
          description={`Empty: all ${formatPoints(rules.bonus_points)}. Gradebooks may stop at the total.`}
          value={form.values.bonus}
          error={form.errors.bonus}
          onChange={(event) => change({ bonus: event.currentTarget.value })}
        />
      )}
      {preview && <PreviewFigures focused="start" preview={preview} assignment={assignment} />}
      <ErrorNotice error={form.failure} fallback="The scores could not be adjusted." />
      <div className={classes.buttons}>
        <CancelButton onClick={close} disabled={form.submitting} />
        <Button type="submit" loading={form.submitting}>
          {preview ? 'Save' : 'Preview'}
        </Button>
      </div>
    </form>
  )
}

interface LatePenaltyFieldsProps {
  values: AdjustScoresValues
  change: (part: Partial<AdjustScoresValues>) => void
  errors: Record<string, ReactNode>
  possible: boolean
}

const percentFields = [
  ['per_day', 'Taken per day late', 'Percentage points'],
  ['most', 'At most', 'Percentage points'],
  ['grace', 'Grace period', 'Minutes after the due date'],
] as const

function LatePenaltyFields({ values, change, errors, possible }: LatePenaltyFieldsProps) {
  return (
    <fieldset className={classes.fieldset}>
      <legend>Late work</legend>
      <Switch
        label="Take points for late work"
        description={
          possible
            ? 'For each day begun after the due date, or after a student’s extension. Of papers you uploaded yourself, those whose hand-in time you set.'
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
          {percentFields.map(([field, label, description]) => (
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

const numbers: Partial<Record<AdjustScoresValues['kind'], { name: 'points' | 'factor'; label: string }>> = {
  shift: { name: 'points', label: 'Points to add' },
  scale: { name: 'factor', label: 'Factor' },
}

/** Comes before a late penalty; scores stay within 0 and 100 %. */
function ShiftOrScaleFields({ values, change, errors }: Omit<LatePenaltyFieldsProps, 'possible'>) {
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
              {values.kind === kind && numbers[kind] && (
                <TextInput
                  className={classes.inRule}
                  data-path={numbers[kind].name}
                  label={numbers[kind].label}
                  value={values[numbers[kind].name]}
                  error={errors[numbers[kind].name]}
                  onChange={(event) => change({ [numbers[kind]?.name ?? '']: event.currentTarget.value })}
                />
              )}
            </div>
          ))}
        </div>
      </Radio.Group>
    </fieldset>
  )
}

type AdjustScoresValues = ReturnType<typeof valuesOf>

const fieldNames: Record<string, keyof AdjustScoresValues> = {
  late_penalty: 'late',
  'late_penalty.percent_per_day': 'per_day',
  'late_penalty.max_percent': 'most',
  'late_penalty.grace_minutes': 'grace',
  adjustment: 'kind',
  'adjustment.points_percent': 'points',
  'adjustment.factor': 'factor',
  bonus_limit: 'bonus',
}

const written = (value: number) => String(Number(value.toFixed(4)))

const valuesOf = ({ late_penalty, adjustment, bonus_limit }: AssignmentScoreRules) => ({
  late: late_penalty !== null,
  per_day: String(late_penalty?.percent_per_day ?? 10),
  most: String(late_penalty?.max_percent ?? 50),
  grace: String(late_penalty?.grace_minutes ?? 0),
  kind: (adjustment?.kind ?? 'none') as (typeof kinds)[number][0],
  points: adjustment?.kind === 'shift' ? String(adjustment.points_percent) : '',
  factor: adjustment?.kind === 'scale' ? written(adjustment.factor) : '',
  bonus: String(bonus_limit ?? ''),
})

/** NaN is refused by the contract, which says what to enter. */
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.').replace('−', '-')))

function wantedRules(values: AdjustScoresValues, saved: AssignmentScoreRules): WantedRules {
  return {
    late_penalty: values.late
      ? {
          percent_per_day: numberOf(values.per_day),
          max_percent: numberOf(values.most),
          grace_minutes: numberOf(values.grace),
        }
      : null,
    adjustment: wantedAdjustment(values, saved),
    ...(values.bonus.trim() === '' ? {} : { bonus_limit: numberOf(values.bonus) }),
  }
}

function wantedAdjustment(
  { kind, points, factor }: AdjustScoresValues,
  { adjustment }: AssignmentScoreRules,
): WantedRules['adjustment'] {
  if (kind === 'none') return null
  if (kind === 'scale_to_best') return { kind }
  if (kind === 'shift') return { kind, points_percent: numberOf(points) }
  // The field shows a rounded factor: unchanged, the exact one stays.
  if (adjustment?.kind === 'scale' && written(adjustment.factor) === factor) return adjustment
  return { kind, factor: numberOf(factor) }
}
