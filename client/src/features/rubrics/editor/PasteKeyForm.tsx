import type { Question, QuestionKind, Rubric, RubricProblem } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { normalNumber, numberLevels } from '@assay/shared/rules/question-numbers.ts'
import { questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { NAMES_NUMBER } from '@assay/shared/rules/rubric-problems.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { Button, Checkbox, FileButton, Textarea } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { CancelButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { TableHead } from '../../../components/layout/DataTable.tsx'
import { SideSheet } from '../../../components/layout/SideSheet.tsx'
import { plural } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useRubricPapers } from '../papers/useRubricPapers.tsx'
import { type PastedAnswer, parsePastedKey } from '../pasted-key.ts'
import { questionAfter, questionKinds } from '../rubric-draft.ts'
import { criterionForKey, dismiss, insertQuestion, setAnswer, setKind, setPoints } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import classes from './PasteKeyForm.module.css'

export function PasteKeyButton() {
  const { openKeyForm } = useRubricPapers()
  return (
    <SecondaryButton data-focus="paste-key" onClick={openKeyForm}>
      Paste the key…
    </SecondaryButton>
  )
}

interface Props {
  draft: RubricDraft
  text: string
  setText: (text: string) => void
  closed: (questionId?: string) => void
}

export function PasteKeyForm(props: Props) {
  return useRubricPapers().keyFormOpened && <OpenedForm {...props} />
}

/** Larger or longer files are no keys. */
const MAX_BYTES = 200_000
const MOST_LINES = 20

/**
 * What the key changes is shown while it is typed, and is one step to undo. Beside the pages, since the key may be
 * typed from them; on a phone below them.
 */
function OpenedForm({ draft, text, setText, closed }: Props) {
  const { setSheetOpened } = useRubricPapers()
  const { rubric, change } = draft
  const [isUp, setUp] = useState(true)
  const [wantsAdded, setWantsAdded] = useState(false)
  const reset = useRef<() => void>(null)
  const { answers, rejected } = useMemo(() => {
    const numbers = rubric.questions.map(({ number }) => number)
    return parsePastedKey(text, numbers)
  }, [text, rubric])
  const unknown = answers.filter(({ number }) => !questionOfNumber(rubric, number)).map(({ number }) => number)
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
              {({ onClick }) => <SecondaryButton onClick={onClick}>Choose a file</SecondaryButton>}
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

function ChangesTable({ rows }: { rows: { before: Question | undefined; question: Question }[] }) {
  return (
    <table className={classes.table} aria-label="What changes">
      <TableHead columns={['No.', 'Now', 'Will be', 'Points']} />
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

const questionOfNumber = ({ questions }: Rubric, number: string): Question | undefined =>
  questions.find((question) => normalNumber(question.number) === normalNumber(number))

/** `add`: numbers that no question has become questions. */
export function applyPastedKey(rubric: Rubric, answers: readonly PastedAnswer[], add: boolean): Rubric {
  // Among letters of options, “F” is one of them.
  const hasTruthLetters = answers.some(({ answer }) => /^t$/i.test(answer))
  const after = answers.reduce((now, pasted, i) => {
    const known = questionOfNumber(now, pasted.number) !== undefined
    const next = nextInKey(now, pasted, answers[i - 1])
    const before = next === undefined ? questionAfter(now.questions, pasted.number) : next
    const withNumber = known || !add ? now : insertQuestion(now, pasted.number, before)
    const question = questionOfNumber(withNumber, pasted.number)
    return question ? withPasted(withNumber, question, pasted, hasTruthLetters) : now
  }, rubric)
  const compared = answers.filter(({ answer }) => answer !== '')
  const given = new Set(compared.map(({ number }) => questionOfNumber(after, number)?.id))
  const isAnswered = ({ code, question_id }: RubricProblem) => code === 'answer_unsure' && given.has(question_id)
  return dismiss(after, after.problems, after.problems.filter(isAnswered), true)
}

/** A part's place, behind its neighbour in the key: “ix” follows “viii”. Undefined where it is no part. */
function nextInKey({ questions }: Rubric, { number }: PastedAnswer, previous: PastedAnswer | undefined) {
  const [own = [], other = []] = [number, previous?.number ?? ''].map((one) => numberLevels(one).levels)
  const at = questions.findIndex((one) => previous && normalNumber(one.number) === normalNumber(previous.number))
  const areParts = own.length > 1 && own.length === other.length && own.slice(0, -1).every((one, i) => one === other[i])
  return areParts && at >= 0 ? (questions[at + 1] ?? null) : undefined
}

function withPasted(rubric: Rubric, question: Question, pasted: PastedAnswer, hasTruthLetters: boolean): Rubric {
  const { id } = question
  const { answer, points } = pasted
  const kind = answer === '' ? question.kind : kindForAnswer(question, answer, hasTruthLetters)
  const expected = writtenAs(kind, answer)
  const isSame = answer === '' || criterionForKey(question)?.expected.trim() === expected
  let next = kind === question.kind ? rubric : setKind(rubric, id, kind)
  if (!isSame) next = setAnswer(next, id, expected)
  return points === null ? next : setPoints(next, id, points)
}

const LETTERS = /^[a-h](?:\s*(?:[,;&+/]|and)\s*[a-h])*$/i
const TRUTH = /^(?:true|false|yes|no)$/i
const TRUTH_LETTER = /^[tf]$/i
/** “-4,5”, “$58”, “3/4”, “12 %”, “x = 3”, “2√3”, “43°”, “200 cm3”, “9.8 m/s²”; no “2nd” or “2x”. */
const NUMBER =
  /^(?:\p{L}\s?=\s?)?[-−+]?[$€£]?\s?(?:\d[\d.,]*(?:\s?\/\s?\d+)?|\.\d+|\d*√\(?\d+\)?)(?:\s?(?:%|°\s?[CF]?|(?:[kcmdµμnMG]?(?:m|g|s|A|V|W|J|N|Pa|Hz|Ω|[Ll]|mol)|[KCF]|min|h|ha|t|ft|in|mi|yd|lb|eV|kWh|km)(?:[²³]|\^?-?[1-3])?(?:\s?\/\s?[a-z]{1,3}(?:[²³]|\^?[23])?)?))?$/u

const ASKS_REASON = /\b(?:explain|justify|why|reasons?|reasoning|prove)\b/i
/** “9.8 m/s²”, “x = 1/2”, “twelve”; no “(2.5, 3.5)”, “high: 5; low: 2” or “F(x) = x³/27”. */
const QUANTITY = /^(?:\p{L}\w{0,2}\s*[=≈]\s*)?[-−+±]?\s?[$€£]?\s?(?:\d|\.\d|[½¼¾π√∞])(?:[^;,]|[,.](?=\d)){0,30}$/u

/** The question's own kind, where the answer can be of it. */
function kindForAnswer(question: Question, answer: string, hasTruthLetters: boolean): QuestionKind {
  const { kind, prompt } = question
  const options = findChoiceOptions(prompt)
  const hasOptions = kind === 'choice' || options.length > 0
  if (LETTERS.test(answer) && hasOptions) return 'choice'
  const isTruth = TRUTH.test(answer) || (TRUTH_LETTER.test(answer) && hasTruthLetters)
  if (isTruth) return kind === 'text' && ASKS_REASON.test(prompt) ? 'text' : 'true_false'
  // A question that nobody has read may have options.
  if (LETTERS.test(answer) && prompt === '' && kind === 'text') return 'choice'
  if (NUMBER.test(answer) && kind !== 'choice' && kind !== 'formula') return 'number'
  if (kind === 'true_false') return 'text'
  if (kind === 'number') return QUANTITY.test(answer) || NAMES_NUMBER.test(answer.replace(/\d/g, ' ')) ? kind : 'text'
  const words = answer.toLowerCase()
  const isOther = options.length > 0 && !options.some(({ text }) => text.toLowerCase().includes(words))
  return kind === 'choice' && isOther ? 'text' : kind
}

function writtenAs(kind: QuestionKind, answer: string): string {
  if (kind === 'choice' && LETTERS.test(answer)) return answer.replace(/\b[a-h]\b/g, (letter) => letter.toUpperCase())
  if (kind === 'true_false' && /^[tf]$/i.test(answer)) return /t/i.test(answer) ? 'True' : 'False'
  return answer
}
