import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import { type Given, isDecided, pointsInWords } from './answer-groups.ts'
import type { ItemPanel } from './items/useItemPanel.ts'

export interface DecisionToConfirm {
  given: Given
  answers: QuestionAnswer[]
  groups: number
}

interface Props {
  question: QuestionToGrade['question']
  decision: DecisionToConfirm | null
  close: () => void
  confirm: (answers: QuestionAnswer[], given: Given) => void
}

export function DecideManyModal({ question, decision, close, confirm }: Props) {
  const [changeDecided, setChangeDecided] = useState(false)
  // The words stay while it fades.
  const last = useRef(decision)
  if (decision) last.current = decision
  if (!last.current) return null
  const { given, answers, groups } = last.current
  const undecided = answers.filter((answer) => !isDecided(answer, question.criteria))
  const decided = answers.length - undecided.length
  const all = changeDecided || given === null || undecided.length === 0
  const meant = all ? answers : undecided
  const count = plural(meant.length, 'answer')
  const title =
    given === null
      ? `Withdraw the points of ${count}?`
      : given === 'suggested'
        ? `Accept the suggestions for ${count}?`
        : `Give ${pointsInWords(given, question)} to ${count}?`
  return (
    <ConfirmModal
      opened={decision !== null}
      close={() => {
        setChangeDecided(false)
        close()
      }}
      title={title}
      confirmLabel={given === null ? 'Withdraw points' : given === 'suggested' ? 'Accept' : 'Give points'}
      onConfirm={async () => {
        setChangeDecided(false)
        confirm(meant, given)
      }}
    >
      <p>{plural(groups, 'group')} selected. You can undo this as one step.</p>
      {given !== null && decided > 0 && undecided.length > 0 && (
        <Checkbox
          label={`Change ${plural(decided, 'answer')} decided already, too`}
          checked={changeDecided}
          onChange={(event) => setChangeDecided(event.currentTarget.checked)}
        />
      )}
    </ConfirmModal>
  )
}

export function ApplyItemModal(props: Pick<ItemPanel, 'toConfirm' | 'confirm' | 'closeConfirm'>) {
  const last = useRef(props.toConfirm)
  if (props.toConfirm) last.current = props.toConfirm
  const change = last.current
  if (!change) return null
  const count = plural(change.answers.length, 'answer')
  return (
    <ConfirmModal
      opened={props.toConfirm !== null}
      close={props.closeConfirm}
      title={change.applied ? `Give this item to ${count}?` : `Take this item away from ${count}?`}
      confirmLabel={change.applied ? 'Give item' : 'Take away'}
      onConfirm={async () => props.confirm(change)}
    >
      <p>“{change.item.text}”</p>
      <p>You can undo this as one step.</p>
    </ConfirmModal>
  )
}
