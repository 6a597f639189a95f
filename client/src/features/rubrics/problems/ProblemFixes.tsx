import { type Question, QuestionKind, type Rubric, type RubricProblem } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { RubricPointsField } from '../editor/CriterionFields.tsx'
import { SplitPartsModal } from '../editor/SplitPartsModal.tsx'
import { useRubricPapers } from '../papers/useRubricPapers.tsx'
import { questionKinds } from '../rubric-draft.ts'
import { closeGap, criterionForKey, gapOf, insertQuestion, joinQuestions, setKind, setPoints } from '../rubric-fixes.ts'
import { splitIntoParts } from '../rubric-parts.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import classes from './ProblemsPanel.module.css'

interface Props {
  problem: RubricProblem
  draft: RubricDraft
  openQuestion: (questionId: string, focus?: string) => void
  changeMany: () => void
}

const MOST_FIELDS = 12

export function ProblemFixes({ problem, draft, openQuestion, changeMany }: Props) {
  const { rubric, update } = draft
  const { drawRegion, pickExpected } = useRubricPapers()
  const fix = useFix(draft)
  const question = rubric.questions.find(({ id }) => id === problem.question_id)

  if (problem.code === 'number_missing') return <GapFixes problem={problem} draft={draft} />
  if (problem.code === 'points_total' || (problem.code === 'points_guessed' && !question))
    return <TotalFixes problem={problem} draft={draft} changeMany={changeMany} />
  if (problem.code === 'key_unmatched') {
    const number = problem.id.slice('key_unmatched/'.length)
    return (
      <FixButton onClick={() => fix((now) => insertQuestion(now, number, null), `Question ${number} added.`)}>
        Add question {number}
      </FixButton>
    )
  }
  if (!question) return null
  const { id, number } = question
  const name = `question ${number}`
  switch (problem.code) {
    case 'no_answer':
      return (
        <>
          <FixButton of={name} onClick={() => pickExpected(question)}>
            Pick from the key
          </FixButton>
          <FixButton of={name} onClick={() => openQuestion(id, `expected-${criterionForKey(question)?.id}`)}>
            Type it
          </FixButton>
        </>
      )
    case 'no_region':
      return (
        <FixButton of={name} onClick={() => drawRegion(question)}>
          Draw on the page
        </FixButton>
      )
    case 'number_doubled':
      return (
        <>
          <FixButton
            of={name}
            onClick={() => {
              const before = rubric.questions[rubric.questions.indexOf(question) - 1]
              const words = `Question ${number} merged with the one before.`
              fix((now) => joinQuestions(now, [before?.id ?? '', id]), words)
            }}
          >
            Merge with previous
          </FixButton>
          <FixButton of={name} onClick={() => openQuestion(id, `number-${id}`)}>
            Renumber
          </FixButton>
        </>
      )
    case 'question_points':
      return question.printed_points === undefined ? null : (
        <FixButton of={name} onClick={() => update((now) => setPoints(now, id, question.printed_points ?? 0))}>
          {`Use ${question.printed_points} points`}
        </FixButton>
      )
    case 'points_guessed':
      return <PointsFields questions={[question]} draft={draft} label={`Points of ${name}`} />
    case 'kind_doubtful':
      return (
        <NativeSelect
          size="xs"
          aria-label={`Kind of answer to ${name}`}
          value={question.kind}
          data={QuestionKind.options.map((kind) => ({ value: kind, label: questionKinds[kind].label }))}
          onChange={(event) => {
            const kind = QuestionKind.safeParse(event.currentTarget.value)
            if (kind.success) update((now) => setKind(now, id, kind.data))
          }}
        />
      )
    default:
      return <FixButton onClick={() => openQuestion(id)}>Open {name}</FixButton>
  }
}

/** Announced, since the pressed button goes away with its problem. */
function useFix({ update }: RubricDraft) {
  const announce = useAnnounce()
  return (change: (rubric: Rubric) => Rubric, words: string) => {
    update(change)
    announce(words)
  }
}

function TotalFixes({ problem, draft, changeMany }: Omit<Props, 'openQuestion'>) {
  const { questions, printed_totals = [] } = draft.rubric
  const [shown, setShown] = useState(false)
  const total = printed_totals.find(({ number }) => problem.id.startsWith(`points_total/${number ?? ''}/`))
  const own = total?.number ? questions.filter(({ id }) => total.question_ids.includes(id)) : questions
  if (!shown)
    return <FixButton onClick={() => (own.length > MOST_FIELDS ? changeMany() : setShown(true))}>Set points…</FixButton>
  return <PointsFields questions={own} draft={draft} label="Points of these questions" />
}

/** A missing number is the next question's, hidden in the one before, or was not read. */
function GapFixes({ problem, draft }: { problem: RubricProblem; draft: RubricDraft }) {
  const { rubric } = draft
  const fix = useFix(draft)
  const [splitting, setSplitting] = useState(false)
  const gap = gapOf(rubric, problem)
  if (!gap) return null
  const { missing, at, before } = gap
  const whole = before?.prompt.includes('\n') ? before : null
  return (
    <>
      <FixButton onClick={() => fix((now) => closeGap(now, gap), `Question ${at.number} is now question ${missing}.`)}>
        Renumber {at.number} to {missing}
      </FixButton>
      {whole && <FixButton onClick={() => setSplitting(true)}>Split question {whole.number}…</FixButton>}
      <FixButton onClick={() => fix((now) => insertQuestion(now, missing, at), `Question ${missing} added.`)}>
        Add question {missing}
      </FixButton>
      {whole && (
        <SplitPartsModal
          opened={splitting}
          close={() => setSplitting(false)}
          rubric={rubric}
          question={whole}
          numbers={[whole.number, missing]}
          split={(parts) =>
            fix((now) => splitIntoParts(now, whole.id, parts), `Question ${whole.number} split into ${parts.length}.`)
          }
        />
      )}
    </>
  )
}

/** `of`: the question, which only those who cannot see the problem need to hear. */
function FixButton({ of, onClick, children }: { of?: string; onClick: () => void; children: ReactNode }) {
  return (
    <SecondaryButton size="compact-sm" aria-label={of && `${children}, ${of}`} onClick={onClick}>
      {children}
    </SecondaryButton>
  )
}

interface PointsFieldsProps {
  questions: readonly Question[]
  draft: RubricDraft
  label: string
}

/** Set together: the first digit would remove the problem, and this field with it. */
function PointsFields({ questions, draft, label }: PointsFieldsProps) {
  const [typed, setTyped] = useState<Record<string, number>>({})
  const isWrong = ({ id }: Question) => id in typed && !((typed[id] ?? 0) > 0)
  const valid = !questions.some(isWrong)
  return (
    <form
      className={classes.points}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (!valid) return
        draft.update((rubric) =>
          Object.entries(typed).reduce((now, [id, points]) => setPoints(now, id, points), rubric),
        )
        setTyped({})
      }}
    >
      {questions.map((question) => (
        <RubricPointsField
          key={question.id}
          label={`Question ${question.number}`}
          points={typed[question.id] ?? questionPoints(question)}
          error={isWrong(question) ? 'More than 0' : undefined}
          change={(points) => setTyped((now) => ({ ...now, [question.id]: points }))}
        />
      ))}
      <SecondaryButton type="submit" size="compact-sm" disabled={!valid || Object.keys(typed).length === 0}>
        Set points
      </SecondaryButton>
    </form>
  )
}
