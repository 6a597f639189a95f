import type { Question } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { Button, Checkbox, FileButton, Textarea } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { CancelButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { SideSheet } from '../../submissions/review/SideSheet.tsx'
import { applyPastedKey, questionOfNumber } from '../apply-pasted-key.ts'
import { useRubricPapers } from '../papers/rubric-papers.tsx'
import { parsePastedKey } from '../pasted-key.ts'
import { questionKinds } from '../rubric-draft.ts'
import { criterionForKey } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import classes from './PasteKeyForm.module.css'

/** Opens the form below, and the key's pages where only the blank's are shown. */
export function PasteKeyButton({ size }: { size?: 'xs' }) {
  const { openKeyForm } = useRubricPapers()
  return (
    <Button variant="default" size={size} data-focus="paste-key" onClick={openKeyForm}>
      Paste the key…
    </Button>
  )
}

interface Props {
  draft: RubricDraft
  text: string
  setText: (text: string) => void
  /** Gives the focus away; to this question where the button that opened the form is gone. */
  closed: (questionId?: string) => void
}

export function PasteKeyForm(props: Props) {
  return useRubricPapers().keyFormOpened && <OpenedForm {...props} />
}

/** Larger or longer files are no keys. */
const MAX_BYTES = 200_000
const MOST_LINES = 20

/**
 * The key as text: what it changes is shown while it is typed, and is one step to undo. Beside the pages, for the key
 * may be typed from them; on a phone below them, where it can be moved out of the way.
 */
function OpenedForm({ draft, text, setText, closed }: Props) {
  const { setSheetOpened } = useRubricPapers()
  const { rubric, change } = draft
  const [isUp, setUp] = useState(true)
  const [wantsAdded, setWantsAdded] = useState(false)
  const reset = useRef<() => void>(null)
  const { answers, rejected } = useMemo(
    () =>
      parsePastedKey(
        text,
        rubric.questions.map(({ number }) => number),
      ),
    [text, rubric],
  )
  const unknown = answers.filter(({ number }) => !questionOfNumber(rubric, number)).map(({ number }) => number)
  // Where no question was found, there is nothing else to do with an answer.
  const add = wantsAdded || rubric.questions.length === 0
  const after = useMemo(() => applyPastedKey(rubric, answers, add), [rubric, answers, add])
  const rows = after.questions.flatMap((question) => {
    const before = rubric.questions.find(({ id }) => id === question.id)
    return before && questionFingerprint(before) === questionFingerprint(question) ? [] : [{ before, question }]
  })
  const same = answers.length - (add ? 0 : unknown.length) - rows.length
  const fine = new Set(rubric.problems.flatMap(({ id, dismissed }) => (dismissed ? [id] : [])))
  const confirmed = after.problems.filter(({ id, dismissed }) => dismissed && !fine.has(id)).length

  async function read(file: File | null) {
    // The same file may be chosen again once it is mended.
    reset.current?.()
    if (!file) return
    if (file.size > MAX_BYTES) return toast.error(`${file.name} is too large to be a key.`)
    setText(await file.text())
  }

  function close(questionId?: string) {
    setSheetOpened(false)
    closed(questionId)
  }

  function apply() {
    change(after)
    const changes = `${plural(rows.length, 'question')} changed.`
    toast.success(rows.length > 0 ? changes : `${plural(confirmed, 'answer')} confirmed.`)
    setText(rejected.map((line) => line.text).join('\n'))
    close(rows[0]?.question.id)
  }

  const buttons = (
    <div className={classes.buttons}>
      <CancelButton onClick={() => close()} />
      <Button disabled={rows.length === 0 && confirmed === 0} onClick={apply}>
        Apply
      </Button>
    </div>
  )
  const title = 'Paste the key'
  return (
    <div className={classes.form}>
      <SideSheet label={title} open={isUp} setOpen={setUp} edge={<strong>{title}</strong>} actions={buttons}>
        <div className={classes.root}>
          <h2 className={classes.title}>{title}</h2>
          <Textarea
            data-autofocus
            ref={takeFocus}
            label="Key"
            description="Number and answer, one line each or several on one: 1 B 2 C. From a spreadsheet: number, answer and points."
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder={'1 B 2 C 3 A\n4 True\n5 (a) 12.5 cm'}
            value={text}
            minRows={4}
            maxRows={6}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div>
            <FileButton
              accept=".csv,.txt,.tsv,text/csv,text/plain"
              inputProps={{ 'aria-label': 'Key file' }}
              resetRef={reset}
              onChange={(file) => void read(file)}
            >
              {({ onClick }) => (
                <Button variant="default" size="xs" onClick={onClick}>
                  Choose a file
                </Button>
              )}
            </FileButton>
          </div>
          {rejected.length > 0 && (
            <Notice tone="warn" title={`${plural(rejected.length, 'line')} not used`}>
              <ul className={classes.lines}>
                {rejected.slice(0, MOST_LINES).map(({ line, text: words, reason }) => (
                  <li key={line}>
                    Line {line}: “{shorten(words, 60)}”. {reason}.
                  </li>
                ))}
                {rejected.length > MOST_LINES && <li>And {rejected.length - MOST_LINES} more.</li>}
              </ul>
            </Notice>
          )}
          {unknown.length > 0 && rubric.questions.length > 0 && (
            <Notice title={`No question has ${unknown.length === 1 ? 'the number' : 'the numbers'} ${listOf(unknown)}`}>
              <Checkbox
                label={`Add ${unknown.length === 1 ? 'it as a question' : 'them as questions'}`}
                checked={wantsAdded}
                onChange={(event) => setWantsAdded(event.currentTarget.checked)}
              />
            </Notice>
          )}
          <p role="status" className={classes.sum}>
            {answers.length > 0 && summaryOf(rows.length, same)}
          </p>
          {rows.length > 0 && <ChangesTable rows={rows} />}
        </div>
      </SideSheet>
    </div>
  )
}

const takeFocus = (field: HTMLTextAreaElement | null) => field?.focus()

const summaryOf = (changed: number, same: number) =>
  [
    `${plural(changed, 'question')} will change.`,
    same > 0 && `${plural(same, 'question')} already ${same === 1 ? 'says' : 'say'} what the key says.`,
  ]
    .filter(Boolean)
    .join(' ')

interface ChangedRow {
  /** Undefined: it is added. */
  before: Question | undefined
  question: Question
}

function ChangesTable({ rows }: { rows: ChangedRow[] }) {
  return (
    <table className={classes.table} aria-label="What changes">
      <thead>
        <tr>
          <th scope="col">No.</th>
          <th scope="col">Now</th>
          <th scope="col">Will be</th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ before, question }) => {
          const criterion = before && criterionForKey(before)
          const expected = question.criteria.find(({ id }) => !criterion || id === criterion.id)?.expected ?? ''
          const gone = criterion && expected !== criterion.expected ? criterion.alternatives.length : 0
          const [was, is] = [before && questionPoints(before), questionPoints(question)]
          return (
            <tr key={before?.id ?? question.number}>
              <th scope="row">{question.number}</th>
              <td>
                {before ? shorten(criterion?.expected ?? '', 60) || '–' : 'Not there'}
                {gone > 0 && <div className="hint">and {plural(gone, 'accepted answer')}</div>}
              </td>
              <td>
                {shorten(expected, 60) || '–'}
                {question.kind !== before?.kind && <div className="hint">{questionKinds[question.kind].label}</div>}
              </td>
              <td>{was === undefined || was === is ? is : `${was} → ${is}`}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
