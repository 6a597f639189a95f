import type { QuestionToGrade } from '@assay/shared/questions.ts'
import { Button, Tooltip } from '@mantine/core'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useState } from 'react'
import { plural } from '../../../../lib/format.ts'
import type { GroupOfAnswers } from '../answer-groups.ts'
import type { GroupView } from '../useGroupView.ts'
import classes from './GroupList.module.css'
import { GroupOption } from './GroupOption.tsx'

/** The height of a row in pixels; `GroupList.module.css` has it too. */
const ROW = 76

interface Props {
  groups: readonly GroupOfAnswers[]
  question: QuestionToGrade['question']
  view: GroupView
  scroller: RefObject<HTMLDivElement | null>
  /** On a phone the list and the group are beside each other in time only. */
  opened: () => void
  merge: () => void
}

/** All groups in order; only those in sight are drawn. Several can be chosen, to be merged or decided together. */
export function GroupList({ groups, question, view, scroller, opened, merge }: Props) {
  const [choosing, setChoosing] = useState(false)
  const id = useId()
  const { index } = view
  // The open one is always drawn: a screen reader is told of it by its id.
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
  // None until the list is measured.
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
            <Button
              size="compact-sm"
              variant="default"
              aria-keyshortcuts="m"
              onClick={() => {
                merge()
                scroller.current?.focus({ preventScroll: true })
              }}
            >
              Merge
            </Button>
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
