import type { QuestionToGrade } from '@assay/shared/questions.ts'
import { Button, Tooltip } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconCircleDotted, IconFlag } from '@tabler/icons-react'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type RefObject, useCallback, useEffect, useId, useState } from 'react'
import { AiIcon, TeacherIcon } from '../../../../components/display/Attribution.tsx'
import { SecondaryButton } from '../../../../components/display/buttons.tsx'
import { formatPoints, plural } from '../../../../lib/format.ts'
import { type GroupOfAnswers, type GroupSummary, groupTitle, summarize } from '../answer-groups.ts'
import type { GroupView } from '../useGroupView.ts'
import classes from './GroupList.module.css'

/** In pixels; `GroupList.module.css` has it too. */
const ROW = 76

interface Props {
  groups: readonly GroupOfAnswers[]
  question: QuestionToGrade['question']
  view: GroupView
  scroller: RefObject<HTMLDivElement | null>
  opened: () => void
  merge: () => void
}

export function GroupList({ groups, question, view, scroller, opened, merge }: Props) {
  const [choosing, setChoosing] = useState(false)
  const id = useId()
  const { index } = view
  // Screen readers need the open one, by its id.
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), index])].sort((a, b) => a - b),
    [index],
  )
  const virtual = useVirtualizer({
    count: groups.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (at) => groups[at]?.id ?? at,
    overscan: 6,
    rangeExtractor,
  })
  const rows = virtual.getVirtualItems()
  useEffect(() => {
    virtual.scrollToIndex(index, { align: 'auto' })
  }, [virtual, index])

  function pick(group: GroupOfAnswers, at: number, { shiftKey, ctrlKey, metaKey }: ModifierKeys) {
    if (shiftKey) view.chooseTo(at)
    else if (ctrlKey || metaKey || choosing) view.toggle(group)
    else {
      view.open(group)
      opened()
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    const key = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key
    const act = listKeys[key]
    if (event.ctrlKey || event.metaKey || event.altKey || !act) return
    event.preventDefault()
    act(view, groups)
  }

  const { length } = view.chosen
  return (
    <section className={classes.root} aria-label="Groups">
      <div className={classes.bar}>
        <span>{length > 1 ? `${length} of ${groups.length} selected` : plural(groups.length, 'group')}</span>
        {length > 1 && (
          <Tooltip label="Merge the selected groups (m)">
            <SecondaryButton
              size="compact-sm"
              aria-keyshortcuts="m"
              onClick={() => {
                merge()
                scroller.current?.focus({ preventScroll: true })
              }}
            >
              Merge
            </SecondaryButton>
          </Tooltip>
        )}
        {groups.length > 1 && (
          <Button
            size="compact-sm"
            variant={choosing ? 'light' : 'subtle'}
            aria-pressed={choosing}
            onClick={() => {
              setChoosing(!choosing)
              if (choosing) view.chooseNone()
            }}
          >
            {choosing ? 'Done' : 'Select'}
          </Button>
        )}
      </div>
      <div
        ref={scroller}
        className={classes.scroller}
        role="listbox"
        tabIndex={0}
        aria-label="Groups of answers"
        aria-multiselectable
        aria-activedescendant={rows.some((row) => row.index === index) ? `${id}${index}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {rows.map((row) => {
            const group = groups[row.index]
            return (
              group && (
                <GroupOption
                  key={group.id}
                  id={`${id}${row.index}`}
                  group={group}
                  question={question}
                  top={row.start}
                  place={{ at: row.index + 1, of: groups.length }}
                  open={row.index === index}
                  chosen={view.isChosen(group.id)}
                  pick={(keys) => pick(group, row.index, keys)}
                />
              )
            )
          })}
        </div>
      </div>
    </section>
  )
}

type ModifierKeys = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>

const listKeys: Record<string, (view: GroupView, groups: readonly GroupOfAnswers[]) => void> = {
  ArrowDown: (view) => view.step(1),
  ArrowUp: (view) => view.step(-1),
  'Shift+ArrowDown': (view) => view.extend(1),
  'Shift+ArrowUp': (view) => view.extend(-1),
  Home: (view, groups) => view.open(groups[0]),
  End: (view, groups) => view.open(groups.at(-1)),
}

interface GroupOptionProps {
  id: string
  group: GroupOfAnswers
  question: QuestionToGrade['question']
  top: number
  place: { at: number; of: number }
  open: boolean
  chosen: boolean
  pick: (keys: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => void
}

const GroupOption = memo(function GroupOption(props: GroupOptionProps) {
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
      <span className="visually-hidden">{word} </span>
    </span>
  )
}
