import type { QuestionToGrade } from '@assay/shared/questions.ts'
import { IconCircle, IconCircleCheckFilled, IconCircleDotted, IconFlag } from '@tabler/icons-react'
import { memo } from 'react'
import { AiIcon, TeacherIcon } from '../../../../components/display/Attribution.tsx'
import { formatPoints, plural } from '../../../../lib/format.ts'
import { type GroupOfAnswers, type GroupSummary, summarize } from '../answer-groups.ts'
import { groupTitle } from '../grading-messages.ts'
import classes from './GroupList.module.css'

interface Props {
  id: string
  group: GroupOfAnswers
  question: QuestionToGrade['question']
  /** In pixels, from the top of the list. */
  top: number
  place: { at: number; of: number }
  open: boolean
  chosen: boolean
  pick: (keys: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => void
}

/** One group in the list: what it says, how many wrote it, and the points it has or is expected to get. */
export const GroupOption = memo(function GroupOption(props: Props) {
  const { id, group, question, top, place, open, chosen, pick } = props
  const summary = summarize(group, question.criteria)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and hears the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the open one
    <div
      id={id}
      role="option"
      className={classes.option}
      aria-selected={chosen}
      aria-setsize={place.of}
      aria-posinset={place.at}
      data-open={open || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={pick}
    >
      <DecidedIcon summary={summary} />
      <span className={classes.words} data-empty={group.kind === 'empty' || undefined}>
        {groupTitle(group.kind, summary.excerpt)}
      </span>
      <span className={classes.size}>
        {plural(summary.size, 'answer')}
        {summary.flagged && (
          <span className={classes.flag}>
            <IconFlag size={14} aria-hidden /> Flagged
          </span>
        )}
      </span>
      <span className={classes.points}>
        {summary.points !== null && (summary.undecided === 0 ? <TeacherIcon size={13} /> : <AiIcon size={13} />)}
        <strong>
          {summary.mixed && summary.points !== null && '~'}
          {formatPoints(summary.points && Math.round(summary.points * 10) / 10)}
        </strong>
        {' / '}
        {formatPoints(question.points)}
      </span>
    </div>
  )
})

/** Whether it is decided: an icon, and a word for those who hear it. */
function DecidedIcon({ summary: { undecided, size } }: { summary: GroupSummary }) {
  const [Icon, word] =
    undecided === 0
      ? [IconCircleCheckFilled, 'Decided:']
      : undecided < size
        ? [IconCircleDotted, 'Partly decided:']
        : [IconCircle, 'Undecided:']
  return (
    <span className={classes.icon} data-decided={undecided === 0 || undefined}>
      <Icon size={18} aria-hidden />
      <span className={classes.unsaid}>{word} </span>
    </span>
  )
}
