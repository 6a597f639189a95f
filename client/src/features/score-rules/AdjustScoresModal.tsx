import type { Assignment } from '@assay/shared/assignments.ts'
import {
  type AssignmentScoreRules,
  previewScoreRules,
  type ScoreRulesPreview,
  setScoreRules,
} from '@assay/shared/score-rules.ts'
import { Button, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import classes from './AdjustScoresModal.module.css'
import { fieldNames, valuesOf, wantedRules } from './adjust-scores-form.ts'
import { LatePenaltyFields } from './LatePenaltyFields.tsx'
import { PreviewFigures } from './PreviewFigures.tsx'
import { ShiftOrScaleFields } from './ShiftOrScaleFields.tsx'

interface Props {
  assignment: Pick<Assignment, 'id' | 'status' | 'lms_names'>
  rules: AssignmentScoreRules
  opened: boolean
  close: () => void
  saved: (rules: AssignmentScoreRules) => void
}

export function AdjustScoresModal(props: Props) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.close}
      title={<span className={classes.title}>Adjust scores</span>}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {/* Each time it opens with what is saved. */}
      {props.opened && <AdjustScoresForm key={props.rules.version} {...props} />}
    </Modal>
  )
}

/** Nothing is saved before its effect was shown: the button previews first, and saves what the preview has shown. */
function AdjustScoresForm({ assignment, rules, close, saved }: Props) {
  const params = { assignmentId: assignment.id }
  const ask = useSend(previewScoreRules)
  const save = useSend(setScoreRules)
  const [preview, setPreview] = useState<ScoreRulesPreview | null>(null)
  const figures = useRef<HTMLElement>(null)
  const form = useContractForm(previewScoreRules, {
    initialValues: valuesOf(rules),
    toBody: (values) => wantedRules(values, rules),
    names: fieldNames,
  })
  useEffect(() => {
    if (!preview) return
    figures.current?.focus({ preventScroll: true })
    figures.current?.scrollIntoView?.({ block: 'start' })
  }, [preview])

  const change: typeof form.change = (part) => {
    form.change(part)
    setPreview(null)
  }
  const submit = form.submit(async (body) => {
    if (!preview) {
      setPreview(await ask.send({ params, body }))
      return
    }
    // With the factor as previewed: the best paper may be another one by now.
    const shown = { late_penalty: body.late_penalty, adjustment: preview.adjustment }
    saved(await save.send({ params, body: { ...shown, version: rules.version } }))
    close()
  })

  return (
    <form className={classes.root} onSubmit={submit} noValidate>
      <p className={classes.hint}>Scores as graded stay as they are. You can change or undo this at any time.</p>
      <LatePenaltyFields
        values={form.values}
        change={change}
        errors={form.errors}
        possible={rules.late_rule === 'mark_late' || rules.late_penalty !== null}
      />
      <ShiftOrScaleFields values={form.values} change={change} errors={form.errors} />
      {preview && <PreviewFigures ref={figures} preview={preview} assignment={assignment} />}
      {form.failure && <Notice tone="bad">{messageOf(form.failure, 'The scores could not be adjusted.')}</Notice>}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close} disabled={form.submitting}>
          Cancel
        </Button>
        <Button type="submit" loading={form.submitting}>
          {preview ? 'Save' : 'Preview'}
        </Button>
      </div>
    </form>
  )
}
