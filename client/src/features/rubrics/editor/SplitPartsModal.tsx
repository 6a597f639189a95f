import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { roundPoints } from '@assay/shared/rules/criterion-points.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { nextNumber, type QuestionPart, suggestedParts } from '../rubric-parts.ts'
import { IconButton } from './IconButton.tsx'
import classes from './SplitPartsModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  rubric: Rubric
  question: Question
  split: (parts: QuestionPart[]) => void
}

/** Asks for the parts of a question: their numbers, and what each is worth. */
export function SplitPartsModal({ opened, close, rubric, question, split }: Props) {
  return <ConfirmModalOf key={opened ? 'opened' : 'closed'} {...{ opened, close, rubric, question, split }} />
}

const parsePoints = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')))

function ConfirmModalOf({ opened, close, rubric, question, split }: Props) {
  const [parts, setParts] = useState(() =>
    suggestedParts(question).map(({ number, points }, key) => ({ key, number, points: String(points) })),
  )
  const others = rubric.questions.filter(({ id }) => id !== question.id).map(({ number }) => number.trim())
  const numberError = (number: string, i: number) => {
    if (number.trim() === '') return 'Enter a number'
    const taken = [...others, ...parts.slice(0, i).map((part) => part.number.trim())]
    return taken.includes(number.trim()) ? 'Already there' : null
  }
  const pointsError = (points: string) => (parsePoints(points) > 0 ? null : 'More than 0')
  const wrong = parts.some(({ number, points }, i) => numberError(number, i) ?? pointsError(points))
  const total = questionPoints(question)
  const sum = roundPoints(parts.reduce((all, { points }) => all + (parsePoints(points) || 0), 0))
  const set = (i: number, part: Partial<(typeof parts)[number]>) =>
    setParts(parts.map((one, j) => (j === i ? { ...one, ...part } : one)))
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title={`Split question ${question.number} into parts`}
      confirmLabel="Split"
      disabled={wrong}
      onConfirm={async () =>
        split(parts.map(({ number, points }) => ({ number: number.trim(), points: parsePoints(points) })))
      }
    >
      <p className={classes.about}>
        The question and its expected answer are divided where they have these numbers, such as “a)”. Check each part
        afterwards.
      </p>
      <ul className={classes.parts} aria-label="Parts">
        {parts.map((part, i) => (
          <li key={part.key}>
            <TextInput
              label="Number"
              aria-label={`Number of part ${i + 1}`}
              value={part.number}
              error={numberError(part.number, i)}
              onChange={(event) => set(i, { number: event.currentTarget.value })}
            />
            <TextInput
              label="Points"
              aria-label={`Points of part ${i + 1}`}
              inputMode="decimal"
              value={part.points}
              error={pointsError(part.points)}
              onChange={(event) => set(i, { points: event.currentTarget.value })}
            />
            {parts.length > 2 && (
              <span className={classes.remove}>
                <IconButton
                  label={`Remove part ${i + 1}`}
                  Icon={IconX}
                  onClick={() => setParts(parts.filter((_, j) => j !== i))}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => {
            const last = parts.at(-1)
            const key = 1 + Math.max(...parts.map((part) => part.key))
            setParts([...parts, { key, number: nextNumber(last?.number ?? ''), points: last?.points ?? '1' }])
          }}
        >
          Add a part
        </Button>
        <span role="status" className={classes.sum}>
          {sum === total ? `${plural(total, 'point')} in total` : `${sum} of the question’s ${plural(total, 'point')}`}
        </span>
      </div>
    </ConfirmModal>
  )
}
