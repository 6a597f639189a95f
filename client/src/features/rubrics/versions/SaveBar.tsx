import type { Assignment } from '@assay/shared/assignments.ts'
import { type CurrentRubric, checkRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import type { GradingProcess } from '../../submissions/grading-run/useGradingProcess.ts'
import classes from '../editor/RubricEditor.module.css'
import { questionIndexOfError } from '../rubric-draft.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import { SaveRubricModal } from './SaveRubricModal.tsx'

interface Props {
  assignment: Assignment
  current: CurrentRubric
  draft: RubricDraft
  /** Errors are shown. */
  errorsShown: boolean
  /** Shows them, and opens the question of the first. */
  showErrors: (questionId: string | null) => void
  saved: (current: CurrentRubric) => void
  /** The teacher said that papers can be graded by it. */
  confirmed: () => void
  process: GradingProcess
}

/** Saves and confirms; before, it says which grades that touches. */
export function SaveBar({ assignment, current, draft, errorsShown, showErrors, saved, confirmed, process }: Props) {
  const save = useSend(saveRubric)
  const refresh = useRevalidate()
  const check = useSend(checkRubric)
  const [asking, setAsking] = useState<{ toConfirm: boolean } | null>(null)
  const params = { assignmentId: assignment.id }
  const { changed, removed, added } = rubricChanges(draft.base, draft.rubric)
  const touches = current.graded > 0 && changed.length + removed.length + added.length > 0
  const wrong = Object.keys(draft.errors)

  async function send(note: string, regrade: boolean, toConfirm: boolean) {
    const body = { version: draft.version, rubric: draft.rubric, ...(note ? { note } : {}) }
    const next = await save.send({ params, body })
    if (!toConfirm) toast.success('Rubric saved.')
    saved(next)
    void refresh(`/assignments/${assignment.id}/`)
    // Where it cannot begin the rubric is saved all the same, and the notice above offers it again.
    if (regrade && next.outdated > 0) void process.start({ outdated: true })
    if (toConfirm) await confirm(next.version)
  }

  async function confirm(version: number) {
    saved(await check.send({ params, body: { version, checked: true } }))
    void refresh(`/assignments/${assignment.id}`)
    toast.success('Rubric checked. You can grade papers now.')
    confirmed()
  }

  function begin(toConfirm: boolean) {
    const [first] = wrong
    if (first !== undefined) {
      const question = draft.rubric.questions[questionIndexOfError(first)]
      showErrors(question?.id ?? null)
      // Once its fields are there.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus())
      return
    }
    if (touches) setAsking({ toConfirm })
    // Failures are shown here.
    else if (draft.changed) void send('', false, toConfirm).catch(() => undefined)
    else void confirm(draft.version).catch(() => undefined)
  }

  const words = statusMessage(draft, errorsShown ? wrong.length : 0)
  const sending = save.sending || check.sending
  const error = save.error ?? check.error
  const failure = error && !asking ? messageOf(error, 'The rubric could not be saved.') : null
  return (
    <>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <div className={classes.save} data-quiet={(!draft.changed && current.checked !== null) || undefined}>
        {!current.checked && (
          <Button
            size="sm"
            disabled={current.held || current.making?.state === 'running'}
            loading={sending}
            onClick={() => begin(true)}
          >
            Confirm Rubric
          </Button>
        )}
        <Button
          size="sm"
          variant={current.checked ? 'filled' : 'default'}
          disabled={!draft.changed || current.held}
          loading={current.checked ? sending : false}
          onClick={() => begin(false)}
        >
          Save Rubric
        </Button>
        {draft.changed && (
          <Button
            variant="default"
            size="sm"
            disabled={sending}
            onClick={() => {
              draft.discard()
              save.clear()
              check.clear()
            }}
          >
            Discard Changes
          </Button>
        )}
        <span className={classes.words} role="status" data-tone={errorsShown && wrong.length > 0 ? 'bad' : undefined}>
          {words}
        </span>
      </div>
      <SaveRubricModal
        opened={asking !== null}
        close={() => setAsking(null)}
        draft={draft}
        graded={current.graded}
        save={(note, regrade) => send(note, regrade, asking?.toConfirm ?? false)}
      />
    </>
  )
}

function statusMessage({ changed, rubric, errors }: RubricDraft, wrong: number): string {
  if (wrong > 0) {
    const whole = Object.entries(errors).find(([path]) => questionIndexOfError(path) < 0)
    return whole ? whole[1] : `Fix ${plural(wrong, 'error')} before saving`
  }
  if (!changed) return ''
  return rubric.questions.length === 0 ? 'Add at least one question' : 'You have unsaved changes'
}
