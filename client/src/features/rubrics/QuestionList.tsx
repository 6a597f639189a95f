import type { Question } from '@assay/shared/rubrics.ts'
import { questionPrint } from '@assay/shared/rules/rubric-changes.ts'
import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Notice } from '../../components/Notice.tsx'
import { QuestionRow } from './QuestionRow.tsx'
import classes from './RubricEditor.module.css'
import { type DraftErrors, fits, moved, questionOfError, replaced, without } from './rubric-draft.ts'
import type { RubricDraft } from './useRubricDraft.ts'

/** From so many on, one searches rather than scrolls. */
const MANY = 8

interface Props {
  draft: RubricDraft
  /** The question whose fields are open, by id. */
  open: string | null
  setOpen: (id: string | null) => void
  errors: DraftErrors
}

/** The questions in order, one open at a time. */
export function QuestionList({ draft, open, setOpen, errors }: Props) {
  const { rubric, base, change } = draft
  const { questions } = rubric
  const [search, setSearch] = useState('')
  const [gone, setGone] = useState<{ question: Question; index: number } | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const toFocus = useRef<string | null>(null)
  const prints = useMemo(
    () => new Map(base.questions.map((one) => [one.id, `${one.number} ${questionPrint(one)}`])),
    [base],
  )
  // A row that moved keeps the focus, wherever it went.
  useEffect(() => {
    if (toFocus.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-question="${toFocus.current}"]`)?.focus()
    toFocus.current = null
  })
  const put = (next: Question[]) => change({ ...rubric, questions: next })
  const shown = questions.map((question, index) => ({ question, index }))
  const found = shown.filter(({ question }) => question.id === open || fits(question, search))
  return (
    <>
      {(questions.length >= MANY || search !== '') && (
        <TextInput
          aria-label="Find a question"
          placeholder="Find a question"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {gone && (
        <Notice
          actions={
            <Button
              variant="default"
              onClick={() => {
                put(questions.toSpliced(Math.min(gone.index, questions.length), 0, gone.question))
                setGone(null)
              }}
            >
              Bring It Back
            </Button>
          }
        >
          Question {gone.question.number} is taken out.
        </Notice>
      )}
      <ol className={classes.list} aria-label="Questions" ref={list}>
        {found.map(({ question, index }) => (
          <QuestionRow
            key={question.id}
            rubric={rubric}
            question={question}
            index={index}
            open={open === question.id}
            changed={prints.get(question.id) !== `${question.number} ${questionPrint(question)}`}
            toggle={() => setOpen(open === question.id ? null : question.id)}
            change={(next) => put(replaced(questions, index, next))}
            move={(to) => {
              toFocus.current = question.id
              put(moved(questions, index, to))
            }}
            remove={() => {
              setGone({ question, index })
              setOpen(null)
              put(without(questions, index))
            }}
            errors={ownErrors(errors, index)}
          />
        ))}
      </ol>
      {found.length === 0 && <p className={classes.none}>No question has “{search}” in it.</p>}
    </>
  )
}

const ownErrors = (errors: DraftErrors, index: number): DraftErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => questionOfError(path) === index))
