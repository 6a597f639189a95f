import type { Question } from '@assay/shared/rubrics.ts'
import { Radio } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import classes from './ProblemsPanel.module.css'

interface Props {
  opened: boolean
  close: () => void
  question: Question
  /** Of the question that is split off. */
  number: string
  split: (line: number) => void
}

/** Asks at which line of a question's text the next one begins. */
export function SplitQuestionModal({ opened, close, question, number, split }: Props) {
  const [line, setLine] = useState<string | null>(null)
  const lines = question.prompt.split('\n')
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title={`Split question ${question.number}`}
      confirmLabel="Split"
      disabled={line === null}
      onConfirm={async () => {
        if (line !== null) split(Number(line))
      }}
    >
      <p className={classes.first}>{lines[0]}</p>
      <Radio.Group label={`Where does question ${number} begin?`} value={line} onChange={setLine}>
        <div className={classes.lines}>
          {lines.slice(1).map((text, i) => (
            // A line is its number.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Radio key={i} value={String(i + 1)} label={text} />
          ))}
        </div>
      </Radio.Group>
    </ConfirmModal>
  )
}
