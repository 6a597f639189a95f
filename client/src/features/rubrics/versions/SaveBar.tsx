import type { Assignment } from '@assay/shared/assignments.ts'
import { type CurrentRubric, checkRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { type QuestionRef, rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import { openProblems } from '@assay/shared/rules/rubric-problems.ts'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { OpenProblemsNotice } from '../../runs/OpenProblemsNotice.tsx'
import type { GradingProcess } from '../../runs/ProcessDialog.tsx'
import classes from '../editor/RubricEditor.module.css'
import { questionIndexOfError, questionsLabel } from '../rubric-draft.ts'
import type { RubricDraft } from '../useRubricDraft.ts'

interface Props {
  assignment: Assignment
  current: CurrentRubric
  draft: RubricDraft
  errorsShown: boolean
  showErrors: (questionId: string | null) => void
  /** `sent`: the rubric as saved, which may have been typed on since. */
  saved: (current: CurrentRubric, sent: Rubric) => void
  confirmed: () => void
  process: GradingProcess
}

export function SaveBar({ assignment, current, draft, errorsShown, showErrors, saved, confirmed, process }: Props) {
  const save = useSend(saveRubric)
  const refresh = useRevalidate()
  const check = useSend(checkRubric)
  const [question, setQuestion] = useState({ asked: false, toConfirm: false })
  const params = { assignmentId: assignment.id }
  const sending = save.sending || check.sending
  const { changed, removed, added } = rubricChanges(draft.base, draft.rubric)
  const touches = current.graded > 0 && changed.length + removed.length + added.length > 0
  const wrong = Object.keys(draft.errors)

  async function saveOrConfirm(note: string, regrade: boolean, toConfirm: boolean) {
    let { version, rubric } = draft
    if (draft.changed) {
      const next = await save.send({ params, body: { version, rubric, ...(note ? { note } : {}) } })
      if (!toConfirm) toast.success('Rubric saved.')
      saved(next, rubric)
      void refresh(`/assignments/${assignment.id}/`)
      // Where it cannot begin, the rubric is saved all the same, and the notice above offers it again.
      if (regrade && next.outdated > 0) void process.start({ outdated: true })
      if (!toConfirm) return
      version = next.version
      rubric = next.rubric ?? rubric
    }
    saved(await check.send({ params, body: { version, checked: true } }), rubric)
    void refresh(`/assignments/${assignment.id}`)
    toast.success('Rubric checked. You can grade papers now.')
    confirmed()
  }

  function begin(toConfirm: boolean) {
    // A second save before the first ends would conflict with it.
    if (sending) return
    const [first] = wrong
    if (first !== undefined) {
      const question = draft.rubric.questions[questionIndexOfError(first)]
      showErrors(question?.id ?? null)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus())
      return
    }
    if (touches || (toConfirm && openProblems(draft).length > 0)) setQuestion({ asked: true, toConfirm })
    else void saveOrConfirm('', false, toConfirm).catch(() => undefined)
  }

  const words = statusMessage(draft, errorsShown ? wrong.length : 0)
  return (
    <>
      {!question.asked && <ErrorNotice error={save.error ?? check.error} fallback="The rubric could not be saved." />}
      <div className={classes.save} data-quiet={(!draft.changed && current.checked !== null) || undefined}>
        {!current.checked && (
          <Button
            size="sm"
            disabled={current.held || current.generation?.state === 'running'}
            loading={sending}
            onClick={() => begin(true)}
          >
            <Label short="Confirm" rest="Rubric" />
          </Button>
        )}
        <Button
          size="sm"
          variant={current.checked ? 'filled' : 'default'}
          disabled={!draft.changed || current.held || sending}
          loading={current.checked ? sending : false}
          onClick={() => begin(false)}
        >
          <Label short="Save" rest="Rubric" />
        </Button>
        {draft.undo && (
          <SecondaryButton size="sm" disabled={sending} aria-label="Undo the last change" onClick={draft.undo}>
            Undo
          </SecondaryButton>
        )}
        {draft.changed && (
          <SecondaryButton
            size="sm"
            disabled={sending}
            onClick={() => {
              draft.discard()
              save.clear()
              check.clear()
            }}
          >
            <Label short="Discard" rest="Changes" />
          </SecondaryButton>
        )}
        <span className={classes.words} role="status" data-tone={errorsShown && wrong.length > 0 ? 'bad' : undefined}>
          {words}
        </span>
      </div>
      <SaveRubricModal
        opened={question.asked}
        // The words stay while it closes.
        close={() => setQuestion({ ...question, asked: false })}
        draft={draft}
        graded={current.graded}
        save={(note, regrade) => saveOrConfirm(note, regrade, question.toConfirm)}
        toConfirm={question.toConfirm}
      />
    </>
  )
}

function Label({ short, rest }: { short: string; rest: string }) {
  return (
    <span>
      {short} <span className={classes.rest}>{rest}</span>
    </span>
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

interface SaveRubricModalProps {
  opened: boolean
  close: () => void
  draft: RubricDraft
  graded: number
  save: (note: string, regrade: boolean) => Promise<void>
  /** Confirms the rubric as well, whose open problems are then told. */
  toConfirm: boolean
}

const numbers = (list: QuestionRef[]) => list.map(({ number }) => number)

function SaveRubricModal({ opened, close, draft, graded, save, toConfirm }: SaveRubricModalProps) {
  const [note, setNote] = useState('')
  const [regrade, setRegrade] = useState(false)
  const { changed, added, removed } = rubricChanges(draft.base, draft.rubric)
  const grades = plural(graded, 'grade')
  const rest = graded === 1 ? 'rests' : 'rest'
  const touched = graded > 0 && changed.length + added.length + removed.length > 0
  const open = toConfirm ? openProblems(draft) : []
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title={toConfirm ? 'Confirm the rubric?' : 'Save the rubric?'}
      confirmLabel={confirmLabel(toConfirm, touched && regrade, open.length > 0)}
      onConfirm={async () => {
        await save(note.trim(), regrade)
        setNote('')
        setRegrade(false)
      }}
    >
      <div className={classes.stack}>
        {open.length > 0 && <OpenProblemsNotice problems={open} />}
        {touched && (
          <>
            <ul className={classes.changes}>
              {changed.length > 0 && (
                <li>
                  {grades} {rest} on {questionsLabel(numbers(changed))}, which changed.
                </li>
              )}
              {added.length > 0 && (
                <li>
                  {grades} {graded === 1 ? 'does' : 'do'} not have {questionsLabel(numbers(added))} yet.
                </li>
              )}
              {removed.length > 0 && (
                <li>
                  {grades} still {graded === 1 ? 'counts' : 'count'} {questionsLabel(numbers(removed))}, which you
                  removed.
                </li>
              )}
            </ul>
            <span>
              Existing grades are kept and marked as outdated until you regrade. The scores you gave are kept, and
              students see nothing new until you release it.
            </span>
            <Checkbox
              label={`Regrade ${plural(graded, 'paper')} now (changed questions only)`}
              checked={regrade}
              onChange={(event) => setRegrade(event.currentTarget.checked)}
            />
            <TextInput
              label="Version note"
              placeholder="Optional"
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          </>
        )}
      </div>
    </ConfirmModal>
  )
}

function confirmLabel(toConfirm: boolean, regrade: boolean, withProblems: boolean): string {
  if (!toConfirm) return regrade ? 'Save and Regrade' : 'Save Rubric'
  const confirm = withProblems ? 'Confirm Anyway' : 'Confirm Rubric'
  return regrade ? `${confirm} and Regrade` : confirm
}
