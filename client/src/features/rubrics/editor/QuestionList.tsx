import type { Question } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { ownPrompts } from '@assay/shared/rules/own-prompt.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { numberLevels } from '@assay/shared/rules/question-numbers.ts'
import { questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { isOpenProblem } from '@assay/shared/rules/rubric-problems.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { TextInput } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconSearch } from '@tabler/icons-react'
import { type ComponentProps, type KeyboardEvent, useId, useMemo, useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { MathText } from '../../../components/math/MathText.tsx'
import { plural } from '../../../lib/format.ts'
import { useRubricPapers } from '../papers/useRubricPapers.tsx'
import {
  areNumbersAscending,
  type DraftErrors,
  matchesSearch,
  moveItem,
  questionIndexOfError,
  questionKinds,
} from '../rubric-draft.ts'
import { dismiss } from '../rubric-fixes.ts'
import { splitIntoParts } from '../rubric-parts.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import { RowButtons } from './IconButton.tsx'
import { QuestionFields } from './QuestionFields.tsx'
import questionRowClasses from './QuestionList.module.css'
import classes from './RubricEditor.module.css'

const SEARCH_FROM = 8

interface Props {
  draft: RubricDraft
  open: string | null
  setOpen: (id: string | null) => void
  errors: DraftErrors
  focusNext: (...names: string[]) => void
}

export function QuestionList({ draft, open, setOpen, errors, focusNext }: Props) {
  const { rubric, base, problems, change, update } = draft
  const { showRegion } = useRubricPapers()
  const { questions } = rubric
  const [search, setSearch] = useState('')
  const [hasMoved, setHasMoved] = useState(false)
  const announce = useAnnounce()
  const prints = useMemo(
    () => new Map(base.questions.map((one) => [one.id, `${one.number} ${questionFingerprint(one)}`])),
    [base],
  )
  const titles = ownPrompts(questions.map(({ prompt }) => prompt))
  const openOf = (id: string) => problems.filter((one) => one.question_id === id && isOpenProblem(one))
  // A missing answer area says nothing of the question itself.
  const toCheck = (id: string) => openOf(id).filter(({ code }) => code !== 'no_region').length
  const put = (next: Question[]) => change({ ...rubric, questions: next })

  function move({ id, number }: Question, from: number, to: number, by: 'line' | 'button') {
    if (to < 0 || to >= questions.length) return
    const buttons = [`up-question-${id}`, `down-question-${id}`]
    if (to > from) buttons.reverse()
    focusNext(...(by === 'button' ? buttons : []), `question-${id}`)
    announce(`Question ${number} moved to position ${to + 1} of ${questions.length}.`)
    setHasMoved(true)
    put(moveItem(questions, from, to))
  }

  function remove(question: Question, index: number) {
    const near = [questions[index + 1], questions[index - 1]].filter((one) => one !== undefined)
    focusNext(...near.map(({ id }) => `question-${id}`), 'add-question')
    announce(`Question ${question.number} removed.`)
    setOpen(null)
    put(questions.toSpliced(index, 1))
  }

  const shown = questions.map((question, index) => ({ question, index }))
  const found = shown.filter(({ question }) => question.id === open || matchesSearch(question, search))
  const unchecked = found.filter(({ question }) => toCheck(question.id) > 0)

  function goTo({ id }: Question) {
    showRegion(id)
    focusNext(`question-${id}`)
  }

  /** Dismisses a question's problems, then opens the next question with some, cyclically. */
  function confirmAndGoOn(question: Question, index: number) {
    const checked = openOf(question.id)
    const others = unchecked.filter((one) => one.index !== index)
    const next = (others.find((one) => one.index > index) ?? others[0])?.question
    if (checked.length > 0) update((now) => dismiss(now, problems, checked, true))
    announce(
      `Question ${question.number} confirmed. ${next ? `Next: question ${next.number}.` : 'Nothing else to check.'}`,
    )
    if (open === question.id) setOpen(next?.id ?? null)
    goTo(next ?? question)
  }

  return (
    <>
      {(questions.length >= SEARCH_FROM || search !== '') && (
        <TextInput
          aria-label="Find a question"
          placeholder="Find a question"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div role="status">
        {hasMoved && !areNumbersAscending(questions) && (
          <Notice>
            Moving a question does not change its number: answers are found by the number printed on the paper. If the
            printed number differs, edit it in the question.
          </Notice>
        )}
      </div>
      {unchecked[0] && (
        <div className="centered-row">
          <SecondaryButton onClick={() => unchecked[0] && goTo(unchecked[0].question)}>
            Check question {unchecked[0].question.number}
          </SecondaryButton>
          <span className={classes.words}>
            {plural(unchecked.length, 'question')} to check. <kbd>Ctrl</kbd> or <kbd>⌘</kbd> with <kbd>Enter</kbd>{' '}
            confirms one and goes to the next.
          </span>
        </div>
      )}
      <ol className={classes.list} aria-label="Questions">
        {found.map(({ question, index }) => (
          <QuestionRow
            key={question.id}
            rubric={rubric}
            question={question}
            index={index}
            title={titles[index] ?? ''}
            open={open === question.id}
            changed={prints.get(question.id) !== `${question.number} ${questionFingerprint(question)}`}
            problems={toCheck(question.id)}
            toggle={() => {
              if (open !== question.id) showRegion(question.id)
              setOpen(open === question.id ? null : question.id)
            }}
            confirm={() => confirmAndGoOn(question, index)}
            change={(next) => put(questions.with(index, next))}
            split={(parts) => {
              focusNext(`question-${question.id}`)
              announce(`Question ${question.number} split into ${parts.length} parts.`)
              change(splitIntoParts(rubric, question.id, parts))
            }}
            move={(to, by) => move(question, index, to, by)}
            remove={() => remove(question, index)}
            errors={questionErrors(errors, index)}
          />
        ))}
      </ol>
      {found.length === 0 && <p className={classes.none}>No question has “{search}” in it.</p>}
    </>
  )
}

const questionErrors = (errors: DraftErrors, index: number): DraftErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => questionIndexOfError(path) === index))

interface QuestionRowProps extends Omit<ComponentProps<typeof QuestionFields>, 'at'> {
  index: number
  title: string
  open: boolean
  changed: boolean
  problems: number
  toggle: () => void
  confirm: () => void
  /** `by`: the control that was used, which keeps the focus. */
  move: (to: number, by: 'line' | 'button') => void
  remove: () => void
}

function QuestionRow(props: QuestionRowProps) {
  const { index, title, open, changed, problems, toggle, confirm, move, remove, ...fields } = props
  const { rubric, question, errors } = fields
  const body = useId()
  const points = questionPoints(question)
  const wrong = Object.keys(errors).length
  const printed = pointsMismatch(question)
  const isMarked = wrong > 0 || printed !== null || problems > 0
  const summary = open ? null : answerSummary(question)

  function confirmByKey(event: KeyboardEvent<HTMLElement>) {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter') return
    // Events of the question's dialogs bubble up here, too.
    if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return
    event.preventDefault()
    confirm()
  }

  function moveByKey(event: KeyboardEvent) {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    move(index + (event.key === 'ArrowUp' ? -1 : 1), 'line')
  }

  return (
    <li
      className={questionRowClasses.root}
      data-open={open || undefined}
      data-depth={depthOf(question.number)}
      onKeyDown={confirmByKey}
    >
      <h3 className={questionRowClasses.title}>
        <button
          type="button"
          className={questionRowClasses.line}
          data-focus={`question-${question.id}`}
          aria-expanded={open}
          aria-controls={body}
          aria-keyshortcuts="Control+Enter Meta+Enter Alt+ArrowUp Alt+ArrowDown"
          onClick={toggle}
          onKeyDown={moveByKey}
        >
          {isMarked && (
            <IconAlertTriangle
              size={16}
              className={questionRowClasses.wrong}
              data-tone={wrong > 0 ? 'bad' : 'warn'}
              aria-hidden
            />
          )}
          <span className={questionRowClasses.number}>{question.number || '?'}</span>
          <span className={questionRowClasses.prompt}>
            <span className={questionRowClasses.text}>
              <MathText>{title || 'No question text'}</MathText>
            </span>
            {summary !== null && (
              <span className={questionRowClasses.answer}>
                <MathText>{summary}</MathText>
              </span>
            )}
          </span>
          {changed && <span className={questionRowClasses.changed}>Changed</span>}
          {isMarked && (
            <span className={questionRowClasses.wrong} data-tone={wrong > 0 ? 'bad' : 'warn'}>
              {wrong > 0 ? plural(wrong, 'error') : printed ? 'Points differ' : 'Check'}
            </span>
          )}
          <span className={questionRowClasses.facts}>
            <span className="hint">{questionKinds[question.kind].label}</span>
            <span className={questionRowClasses.points}>
              {plural(points, question.bonus ? 'bonus point' : 'point')}
            </span>
          </span>
          <IconChevronDown size={16} className={questionRowClasses.arrow} aria-hidden />
        </button>
      </h3>
      {open && (
        <div id={body}>
          <div className={questionRowClasses.tools}>
            <p className={questionRowClasses.sum} data-tone={printed ? 'warn' : undefined}>
              {printed ?? `Worth ${plural(points, 'point')}${criteriaSum(question)}`}
            </p>
            <RowButtons
              name={`question ${question.number}`}
              focusName={`question-${question.id}`}
              index={index}
              count={rubric.questions.length}
              move={(to) => move(to, 'button')}
              remove={remove}
            />
          </div>
          <QuestionFields {...fields} at={`questions.${index}`} />
          <div className={questionRowClasses.confirm}>
            <SecondaryButton aria-keyshortcuts="Control+Enter Meta+Enter" onClick={confirm}>
              Confirm and next
            </SecondaryButton>
          </div>
        </div>
      )}
    </li>
  )
}

const depthOf = (number: string) => Math.min(3, Math.max(0, numberLevels(number).levels.length - 1))

function answerSummary({ kind, criteria }: Question): string {
  const expected = criteria.flatMap((criterion) => criterion.expected.trim() || [])
  const accepted = criteria.reduce((sum, { alternatives }) => sum + alternatives.length, 0)
  if (expected.length === 0) return kind === 'essay' || kind === 'drawing' ? 'By hand' : 'No expected answer'
  return `Answer: ${shorten(expected.join(' · '), 120)}${accepted > 0 ? ` (${accepted} more accepted)` : ''}`
}

const criteriaSum = ({ criteria }: Question) =>
  criteria.length > 1
    ? `: ${criteria.map(({ points }) => (Number.isFinite(points) ? roundPoints(points) : '?')).join(' + ')}`
    : ''

/** Null when the criteria add up to the printed points, or none are printed. */
function pointsMismatch(question: Question): string | null {
  const { printed_points } = question
  const points = questionPoints(question)
  if (printed_points === undefined || Math.abs(printed_points - points) < 0.01) return null
  return `The paper says ${plural(printed_points, 'point')}, but the criteria add up to ${points}${criteriaSum(question).replace(':', ' =')}.`
}
