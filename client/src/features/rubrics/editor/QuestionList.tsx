import type { Question } from '@assay/shared/rubrics.ts'
import { ownPrompts } from '@assay/shared/rules/own-prompt.ts'
import { questionFingerprint } from '@assay/shared/rules/rubric-changes.ts'
import { isOpenProblem } from '@assay/shared/rules/rubric-problems.ts'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { useRubricPapers } from '../papers/rubric-papers.tsx'
import {
  areNumbersAscending,
  type DraftErrors,
  matchesSearch,
  moveItem,
  questionIndexOfError,
  removeItem,
  replaceItem,
} from '../rubric-draft.ts'
import { splitIntoParts } from '../rubric-parts.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import { QuestionRow } from './QuestionRow.tsx'
import { RemovedNotice } from './RemovedNotice.tsx'
import classes from './RubricEditor.module.css'

/** From so many on, one searches rather than scrolls. */
const SEARCH_FROM = 8

interface Props {
  draft: RubricDraft
  /** The question whose fields are open, by id. */
  open: string | null
  setOpen: (id: string | null) => void
  errors: DraftErrors
  /** Where the focus goes after the next change; see `useRowFocus`. */
  focusNext: (...names: string[]) => void
}

/** The questions in order, one open at a time. */
export function QuestionList({ draft, open, setOpen, errors, focusNext }: Props) {
  const { rubric, base, problems, change } = draft
  const { showRegion } = useRubricPapers()
  const { questions } = rubric
  const [search, setSearch] = useState('')
  const [gone, setGone] = useState<{ question: Question; index: number } | null>(null)
  const [hasMoved, setHasMoved] = useState(false)
  const announce = useAnnounce()
  const prints = useMemo(
    () => new Map(base.questions.map((one) => [one.id, `${one.number} ${questionFingerprint(one)}`])),
    [base],
  )
  const titles = ownPrompts(questions.map(({ prompt }) => prompt))
  const openOf = (id: string) => problems.filter((one) => one.question_id === id && isOpenProblem(one)).length
  const put = (next: Question[]) => change({ ...rubric, questions: next })

  function move({ id, number }: Question, from: number, to: number, by: 'line' | 'button') {
    if (to < 0 || to >= questions.length) return
    const buttons = [`question-up-${id}`, `question-down-${id}`]
    if (to > from) buttons.reverse()
    // What moved keeps the focus, wherever it went.
    focusNext(...(by === 'button' ? buttons : []), `question-${id}`)
    announce(`Question ${number} moved to position ${to + 1} of ${questions.length}.`)
    setHasMoved(true)
    put(moveItem(questions, from, to))
  }

  function remove(question: Question, index: number) {
    const near = [questions[index + 1], questions[index - 1]].filter((one) => one !== undefined)
    focusNext(...near.map(({ id }) => `question-${id}`), 'add-question')
    announce(`Question ${question.number} removed.`)
    setGone({ question, index })
    setOpen(null)
    put(removeItem(questions, index))
  }

  const shown = questions.map((question, index) => ({ question, index }))
  const found = shown.filter(({ question }) => question.id === open || matchesSearch(question, search))
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
      {gone && !questions.some(({ id }) => id === gone.question.id) && (
        <RemovedNotice
          bringBack={() => {
            focusNext(`question-${gone.question.id}`)
            put(questions.toSpliced(Math.min(gone.index, questions.length), 0, gone.question))
            setGone(null)
          }}
        >
          Question {gone.question.number} removed.
        </RemovedNotice>
      )}
      <div role="status">
        {hasMoved && !areNumbersAscending(questions) && (
          <Notice>
            Moving a question does not change its number: answers are found by the number printed on the paper. If the
            printed number differs, edit it in the question.
          </Notice>
        )}
      </div>
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
            problems={openOf(question.id)}
            toggle={() => {
              if (open !== question.id) showRegion(question.id)
              setOpen(open === question.id ? null : question.id)
            }}
            change={(next) => put(replaceItem(questions, index, next))}
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
