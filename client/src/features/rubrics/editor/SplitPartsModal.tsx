import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPlus, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { nextNumber, type QuestionPart, spreadPoints, suggestedParts } from '../rubric-parts.ts'
import { IconButton } from './IconButton.tsx'
import classes from './SplitPartsModal.module.css'

interface Props {
  opened: boolean
  close: () => void
  rubric: Rubric
  question: Question
  numbers?: string[]
  split: (parts: QuestionPart[]) => void
}

const parsePoints = (text: string) => Math.max(0, Number(text.replace(',', '.'))) || 0

export function SplitPartsModal({ opened, close, rubric, question, numbers, split }: Props) {
  const begin = () =>
    suggestedParts(question, numbers).map((part, key) => ({ ...part, key, points: String(part.points) }))
  const [parts, setParts] = useState(begin)
  const [wasOpened, setWasOpened] = useState(opened)
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setParts(begin)
  }
  const others = rubric.questions.filter(({ id }) => id !== question.id).map(({ number }) => number.trim())
  const numberError = (number: string, i: number) => {
    if (number.trim() === '') return 'Enter a number'
    const taken = [...others, ...parts.slice(0, i).map((part) => part.number.trim())]
    return taken.includes(number.trim()) ? 'Already there' : null
  }
  const lines = question.prompt.split('\n')
  const total = questionPoints(question)
  const points = parts.map((part) => parsePoints(part.points))
  const wrong = points.includes(0) || parts.some(({ number }, i) => numberError(number, i) !== null)
  const sum = roundPoints(points.reduce((all, one) => all + one, 0))
  const missing = roundPoints(total - sum)
  const status = useRef<HTMLSpanElement>(null)
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
        split(parts.map((part, i) => ({ ...part, number: part.number.trim(), points: points[i] ?? 0 })))
      }
    >
      <p className="dim">
        The question and its expected answer are divided where they have these numbers, such as “a)”, or where you say.
        Check each part afterwards.
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
              onFocus={(event) => event.currentTarget.select()}
              inputMode="decimal"
              value={part.points}
              error={points[i] === 0 ? 'More than 0' : null}
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
            {i > 0 && lines.length > 1 && (
              <NativeSelect
                className={classes.begin}
                label="Begins at"
                aria-label={`Part ${i + 1} begins at`}
                value={part.line ?? ''}
                data={[
                  { value: '', label: 'Its printed number' },
                  ...lines.slice(1).map((text, j) => ({ value: String(j + 1), label: shorten(text, 80) })),
                ]}
                onChange={(event) => set(i, { line: Number(event.currentTarget.value) || null })}
              />
            )}
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <SecondaryButton
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => {
            const last = parts.at(-1)
            const key = 1 + Math.max(...parts.map((part) => part.key))
            setParts([
              ...parts,
              { key, number: nextNumber(last?.number ?? ''), points: last?.points ?? '1', line: null },
            ])
          }}
        >
          Add a part
        </SecondaryButton>
        <span
          role="status"
          ref={status}
          tabIndex={-1}
          className={classes.sum}
          data-tone={missing === 0 ? undefined : 'warn'}
        >
          {missing === 0 ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
          {missing === 0
            ? `The parts add up to ${plural(total, 'point')}`
            : `${sum} of the question’s ${plural(total, 'point')}: ${Math.abs(missing)} ${missing > 0 ? 'missing' : 'too many'}`}
        </span>
        {missing !== 0 && (
          <SecondaryButton
            onClick={() => {
              const spread = spreadPoints(points, total)
              setParts(parts.map((part, i) => ({ ...part, points: String(spread[i] ?? '') })))
              // The pressed button goes away and must not take the focus along.
              status.current?.focus()
            }}
          >
            {missing > 0 ? `Spread the missing ${plural(missing, 'point')}` : `Reduce to ${plural(total, 'point')}`}
          </SecondaryButton>
        )}
      </div>
    </ConfirmModal>
  )
}
