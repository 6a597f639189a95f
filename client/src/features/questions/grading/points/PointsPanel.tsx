import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconPencilOff, IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { AiIcon } from '../../../../components/display/Attribution.tsx'
import { formatPoints, plural } from '../../../../lib/format.ts'
import { useToastsAbove } from '../../../../lib/hooks/useToastsAbove.ts'
import { ItemList } from '../items/ItemList.tsx'
import { ADD_ITEM_KEY } from '../items/item-words.ts'
import type { ItemPanel } from '../items/useItemPanel.ts'
import { type PointsDraft, pointsOfDraft } from '../points-draft.ts'
import { CriterionPointsRow } from './CriterionPointsRow.tsx'
import { OneCriterionPoints } from './OneCriterionPoints.tsx'
import classes from './PointsPanel.module.css'

interface Props {
  question: QuestionToGrade['question']
  /** What is decided, and in words: `2 selected answers`. */
  answers: readonly QuestionAnswer[]
  items: ItemPanel
  targetWords: string
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  /** Of the criterion that arrow keys step; where there are several. */
  activeCriterion: number
  activateCriterion: (index: number) => void
  give: (draft: PointsDraft) => void
  /** Goes on from what rubric items have decided; null where there is something to decide. */
  next: (() => void) | null
  /** What accepting gives, in words; null where nothing is suggested. */
  suggestion: string | null
  accept: () => void
  /** Null where no points were given. */
  withdraw: (() => void) | null
  /** Selects the neighbours too; null at the list's ends. */
  chooseUp: (() => void) | null
  chooseDown: (() => void) | null
}

/** The points for what is open: typed, or chosen by a click. They are sent as soon as they are given. */
export function PointsPanel(props: Props) {
  const { question, targetWords, draft, setDraft, give, suggestion, accept, withdraw, chooseUp, chooseDown } = props
  const { answers, items, next } = props
  const { criteria } = question
  const [only] = criteria
  const points = pointsOfDraft(draft, criteria)
  const panel = useRef<HTMLElement>(null)
  useToastsAbove(panel)
  const sum = points && Object.values(points).reduce((total, one) => total + one, 0)
  return (
    <section ref={panel} className={classes.root} aria-label="Points">
      <p className={classes.target}>{targetWords}</p>
      {criteria.length === 1 && only ? (
        <>
          <OneCriterionPoints criterion={only} draft={draft} setDraft={setDraft} give={give} />
          <ItemList criterionId={only.id} label="Rubric items" panel={items} answers={answers} />
        </>
      ) : (
        <ul className={classes.criteria}>
          {criteria.map((criterion, index) => (
            <CriterionPointsRow
              key={criterion.id}
              criterion={criterion}
              number={index + 1}
              active={index === props.activeCriterion}
              activate={() => props.activateCriterion(index)}
              draft={draft}
              setDraft={setDraft}
              give={() => give(draft)}
            >
              <ItemList
                criterionId={criterion.id}
                label={`Rubric items of “${criterion.text}”`}
                panel={items}
                answers={answers}
              />
            </CriterionPointsRow>
          ))}
        </ul>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.addItem}
        leftSection={<IconPlus size={16} aria-hidden />}
        rightSection={<kbd>{ADD_ITEM_KEY}</kbd>}
        aria-keyshortcuts={ADD_ITEM_KEY}
        onClick={() => items.add(criteria[props.activeCriterion]?.id ?? only?.id ?? '')}
      >
        Add a rubric item
      </Button>
      <div className={classes.buttons}>
        <Button
          className={classes.give}
          disabled={sum === null && !next}
          aria-keyshortcuts="Enter"
          onClick={() => (sum === null && next ? next() : give(draft))}
        >
          {sum !== null
            ? `Give ${plural(Number(formatPoints(sum)), 'point')}`
            : next
              ? 'Next undecided'
              : 'Give points'}
        </Button>
        <Button
          variant="default"
          leftSection={<AiIcon />}
          disabled={suggestion === null}
          aria-keyshortcuts="a"
          onClick={accept}
        >
          {suggestion ?? 'No suggestion'}
        </Button>
        <Menu position="top-end" width={290}>
          <Menu.Target>
            <Button variant="default" px={10} aria-label="More ways to decide">
              <IconDots size={18} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconArrowUp size={18} aria-hidden />}
              rightSection={<kbd aria-hidden>Shift u</kbd>}
              aria-keyshortcuts="Shift+U"
              disabled={!chooseUp}
              onClick={chooseUp ?? undefined}
            >
              Select all from here up
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={18} aria-hidden />}
              rightSection={<kbd aria-hidden>Shift d</kbd>}
              aria-keyshortcuts="Shift+D"
              disabled={!chooseDown}
              onClick={chooseDown ?? undefined}
            >
              Select all from here down
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconPencilOff size={18} aria-hidden />}
              rightSection={<kbd aria-hidden>Shift w</kbd>}
              aria-keyshortcuts="Shift+W"
              disabled={!withdraw}
              onClick={withdraw ?? undefined}
            >
              Withdraw points
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </section>
  )
}
