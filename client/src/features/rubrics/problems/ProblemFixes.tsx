import { type Question, QuestionKind, type RubricProblem } from '@assay/shared/rubrics.ts'
import { NativeSelect } from '@mantine/core'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { useRubricPapers } from '../papers/rubric-papers.tsx'
import { questionKinds } from '../rubric-draft.ts'
import { insertQuestion, mergeWithPrevious, setKind, setPoints } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import { FixButton } from './FixButton.tsx'
import { GapFixes } from './GapFixes.tsx'
import { PointsFields } from './PointsFields.tsx'
import { TotalFixes } from './TotalFixes.tsx'

interface Props {
  problem: RubricProblem
  draft: RubricDraft
  openQuestion: (questionId: string, focus?: string) => void
}

/** What puts a problem right, one click away. */
export function ProblemFixes({ problem, draft, openQuestion }: Props) {
  const { rubric, update } = draft
  const { drawRegion, pickExpected } = useRubricPapers()
  const announce = useAnnounce()
  const question = rubric.questions.find(({ id }) => id === problem.question_id)

  if (problem.code === 'number_missing') return <GapFixes problem={problem} draft={draft} />
  if (problem.code === 'points_total') return <TotalFixes problem={problem} draft={draft} />
  if (problem.code === 'key_unmatched') {
    const number = problem.id.slice('key_unmatched/'.length)
    return (
      <FixButton
        onClick={() => {
          update((now) => insertQuestion(now, number, null))
          announce(`Question ${number} added.`)
        }}
      >
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
          <FixButton label={`Pick from the key, ${name}`} onClick={() => pickExpected(question)}>
            Pick from the key
          </FixButton>
          <FixButton label={`Type it, ${name}`} onClick={() => openQuestion(id, `expected-${firstOpen(question)}`)}>
            Type it
          </FixButton>
        </>
      )
    case 'no_region':
      return (
        <FixButton label={`Draw on the page, ${name}`} onClick={() => drawRegion(question)}>
          Draw on the page
        </FixButton>
      )
    case 'number_doubled':
      return (
        <>
          <FixButton
            label={`Merge with previous, ${name}`}
            onClick={() => {
              update((now) => mergeWithPrevious(now, id))
              announce(`Question ${number} merged with the one before.`)
            }}
          >
            Merge with previous
          </FixButton>
          <FixButton label={`Renumber, ${name}`} onClick={() => openQuestion(id, `number-${id}`)}>
            Renumber
          </FixButton>
        </>
      )
    case 'question_points':
      return question.printed_points === undefined ? null : (
        <FixButton
          label={`Use ${question.printed_points} points, ${name}`}
          onClick={() => update((now) => setPoints(now, id, question.printed_points ?? 0))}
        >
          Use {question.printed_points} points
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
      return (
        <FixButton label={`Open ${name}`} onClick={() => openQuestion(id)}>
          Open question {number}
        </FixButton>
      )
  }
}

const firstOpen = ({ criteria }: Question) =>
  (criteria.find(({ expected }) => expected.trim() === '') ?? criteria[0])?.id
