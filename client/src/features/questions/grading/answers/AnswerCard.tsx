import { type AnswerDetails, getAnswer, type QuestionAnswer, type QuestionToGrade } from '@assay/shared/questions.ts'
import type { RubricItem } from '@assay/shared/rubric-items.ts'
import { penColours, penMarkWords } from '@assay/shared/rules/pen-shapes.ts'
import { Checkbox } from '@mantine/core'
import { IconArrowBarRight, IconCheck, IconFileText, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { AiIcon, TeacherIcon } from '../../../../components/display/Attribution.tsx'
import { StatusBadge } from '../../../../components/display/StatusBadge.tsx'
import { ToolButton } from '../../../../components/display/ToolButton.tsx'
import { MathText } from '../../../../components/math/MathText.tsx'
import { useGet } from '../../../../lib/api/api-hooks.ts'
import { formatPoints } from '../../../../lib/format.ts'
import { useSeen } from '../../../../lib/hooks/useSeen.ts'
import { itemWorth } from '../../../grades/item-words.ts'
import { isDecided, pointsOf, suggestedPoints } from '../answer-groups.ts'
import itemClasses from '../items/ItemList.module.css'
import { itemsOf, saidByPerson } from '../items/useItemPanel.ts'
import classes from './AnswerCard.module.css'
import { AnswerPictures } from './AnswerPictures.tsx'

interface Props {
  assignmentId: number
  question: QuestionToGrade['question']
  answer: QuestionAnswer
  items: readonly RubricItem[]
  active: boolean
  activate: () => void
  selection: { ticked: boolean; tick: (toHere: boolean) => void; takeOut: () => void } | null
  showPage: () => void
}

export function AnswerCard({ assignmentId, question, answer, items, active, activate, selection, showPage }: Props) {
  const { ref: root, seen } = useSeen<HTMLLIElement>('400px 0px')
  const params = { assignmentId, questionId: question.id, submissionId: answer.submission_id }
  const { data } = useGet(getAnswer, params, undefined, { enabled: seen })
  const shown = useRef(active)
  useEffect(() => {
    if (active && !shown.current) root.current?.scrollIntoView({ block: 'nearest' })
    shown.current = active
  }, [active, root])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same from anywhere on the screen
    <li
      ref={root}
      className={classes.root}
      aria-current={active || undefined}
      data-active={active || undefined}
      onClick={activate}
    >
      <div className={classes.head}>
        {selection ? (
          <Checkbox
            className={classes.name}
            label={answer.student}
            checked={selection.ticked}
            // A change event does not say whether Shift is held.
            onChange={() => undefined}
            onClick={(event) => selection.tick(event.shiftKey)}
          />
        ) : (
          <strong className={classes.name}>{answer.student}</strong>
        )}
        <AnswerPoints answer={answer} question={question} />
        <span className={classes.actions}>
          {selection && (
            <ToolButton
              label={`Take the answer of ${answer.student} out of this group`}
              tooltip="Take out of this group (x)"
              size={32}
              onClick={selection.takeOut}
            >
              <IconArrowBarRight size={18} />
            </ToolButton>
          )}
          <ToolButton
            label={`Show the whole page of ${answer.student}`}
            tooltip="Whole page (p)"
            size={32}
            onClick={showPage}
          >
            <IconFileText size={18} />
          </ToolButton>
        </span>
      </div>
      {data ? (
        <AnswerPictures
          params={params}
          pictures={data.pictures}
          label={`Answer of ${data.student}`}
          showPage={showPage}
        />
      ) : (
        <div className={classes.loading} />
      )}
      {data?.pen_marks?.map(({ id, kind, colour }) => (
        <span key={id} className={classes.sign} style={{ color: penColours[colour] }}>
          {kind === 'tick' ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
          {penMarkWords[kind]} on the page
        </span>
      ))}
      <AnswerText answer={answer} details={data} />
      <AppliedItems answer={answer} items={items} />
      {data && <Remarks details={data} unsaid={saidByPerson(answer, items)} />}
    </li>
  )
}

function AnswerPoints({ answer, question }: Pick<Props, 'answer' | 'question'>) {
  const { criteria } = question
  const points = pointsOf(answer, criteria)
  const suggested = suggestedPoints(answer, criteria)
  const decided = isDecided(answer, criteria)
  return (
    <span className={classes.points}>
      {points === null ? (
        'no points yet'
      ) : (
        <>
          {decided ? <TeacherIcon /> : <AiIcon />}
          <strong>{formatPoints(points)}</strong> / {formatPoints(question.points)}
          <span className="hint">
            {!decided
              ? 'suggested'
              : suggested !== null && suggested !== points
                ? `suggested ${formatPoints(suggested)}`
                : (answer.decided_by ?? 'decided')}
          </span>
        </>
      )}
      {answer.flagged && !decided && <StatusBadge status="flagged" />}
    </span>
  )
}

const withoutWords = { empty: 'Left blank', not_found: 'Not found on the page', unreadable: 'Could not be read' }

function AnswerText({ answer, details }: { answer: QuestionAnswer; details: AnswerDetails | undefined }) {
  const text = details?.text ?? answer.excerpt
  return (
    <p className={classes.text}>
      {answer.state === 'read' ? (
        <>
          <span className="hint">Read as</span> {text}
        </>
      ) : (
        <span className="hint">{withoutWords[answer.state]}</span>
      )}
    </p>
  )
}

function Remarks({ details, unsaid }: { details: AnswerDetails; unsaid: ReadonlySet<string> }) {
  const said = details.criteria.filter(({ criterion_id, feedback }) => feedback !== '' && !unsaid.has(criterion_id))
  const feedback = [...new Set(said.map((criterion) => criterion.feedback))]
  if (details.reasons.length === 0 && feedback.length === 0) return null
  return (
    <ul className={classes.remarks}>
      {details.reasons.map((reason) => (
        <li key={reason} className={classes.reason}>
          {reason}
        </li>
      ))}
      {feedback.map((words) => (
        <li key={words}>
          <AiIcon size={13} /> <span>{words}</span>
        </li>
      ))}
    </ul>
  )
}

function AppliedItems({ answer, items }: { answer: QuestionAnswer; items: readonly RubricItem[] }) {
  const own = itemsOf(answer, items)
  if (own.length === 0) return null
  return (
    <ul className={itemClasses.applied} aria-label="Rubric items of this answer">
      {own.map((item) => (
        <li key={item.id}>
          <TeacherIcon size={14} />
          <span className={itemClasses.text}>
            {item.kind !== 'comment' && <strong>{itemWorth(item)} </strong>}
            <MathText>{item.text}</MathText>
          </span>
        </li>
      ))}
    </ul>
  )
}
